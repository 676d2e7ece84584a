import type { StakerInfo } from "../rules/context.js"
import type { Staker } from "../state/staker.js"
import { type L1Validator, tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { acceptedTx, stakerInfoOf } from "../txs/execute.js"
import type { ID, NodeID } from "../types/id.js"
import type { ProofOfPossession } from "../types/signer.js"
import { type Delegations, readTables } from "./tables.js"

export interface FoundL1Validator extends L1Validator {
  readonly validationID: ID
}

/**
 * Returns the current validators of a subnet that stake or are permissioned, in the order in which they leave: all, or those of these
 * nodes.
 */
export function currentStakers(view: View, subnetID: ID, nodeIDs?: ReadonlySet<NodeID>): Staker[] {
  return [...stakersOf(view, subnetID, nodeIDs)].sort(compareStakers)
}

function* stakersOf(view: View, subnetID: ID, nodeIDs: ReadonlySet<NodeID> | undefined): Iterable<Staker> {
  if (!nodeIDs) {
    for (const [, staker] of view.rows(tables.currentValidators, { under: { subnetID } })) yield staker
    return
  }
  for (const nodeID of nodeIDs) {
    const staker = view.get(tables.currentValidators, { subnetID, nodeID })
    if (staker) yield staker
  }
}

/** Compares in AvalancheGo's order: end, priority, transaction. */
function compareStakers(a: Staker, b: Staker): number {
  if (a.endTime !== b.endTime) return a.endTime < b.endTime ? -1 : 1
  if (a.priority !== b.priority) return a.priority - b.priority
  return a.txID < b.txID ? -1 : 1
}

/** Returns the validators of an L1, active or not, in the order of node IDs: all, or those of these nodes. */
export function l1ValidatorsOf(view: View, subnetID: ID, nodeIDs?: ReadonlySet<NodeID>): FoundL1Validator[] {
  const found: FoundL1Validator[] = []
  for (const [{ nodeID }, validationID] of view.rows(tables.l1ValidationIDs, { under: { subnetID } })) {
    if (nodeIDs && !nodeIDs.has(nodeID)) continue
    const validator = view.get(tables.l1Validators, validationID)
    if (!validator) throw new Error(`L1 validator ${validationID} is missing`)
    found.push({ ...validator, validationID })
  }
  return found
}

/** Returns the number and total weight of a validator's current delegations. */
export function delegationsOf(view: View, { subnetID, nodeID }: Pick<Staker, "subnetID" | "nodeID">): Delegations {
  return view.get(readTables.delegations, { subnetID, nodeID }) ?? { count: 0n, weight: 0n }
}

/** Reads the details of a staker, and the proof of possession of its key, from its transaction. */
export function stakerDetails(view: View, { txID }: Staker): StakerInfo & { readonly proof: ProofOfPossession | undefined } {
  const tx = acceptedTx(view, txID)?.unsignedTx
  const info = tx && stakerInfoOf(tx)
  if (!info) throw new Error(`the transaction of staker ${txID} is missing`)
  return { ...info, proof: "signer" in tx && tx.signer.kind === "ProofOfPossession" ? tx.signer : undefined }
}
