import { openWarpMessage } from "../../rules/warp.js"
import type { View } from "../../state/view.js"
import { acceptedStaker, stakerInfoOf } from "../../txs/execute.js"
import type { Tx } from "../../txs/tx.js"
import type { UnsignedTx } from "../../txs/unsignedTx.js"
import type { ID, NodeID } from "../../types/id.js"
import { createdL1Validator, createdL1Validators, type NewL1Validator } from "../creations.js"

/** Returns the subject of a node: its ID, padded to 32 bytes. No hash ends like this. */
export const nodeSubject = (nodeID: NodeID): ID => `${nodeID}${"ff".repeat(12)}` as ID

/**
 * Returns everything that a transaction concerns: subnets, chains, nodes, L1 validators (by validation ID) and stakers (by transaction).
 */
export function subjectsOf({ id, unsignedTx: tx }: Tx, view: View): ReadonlySet<ID> {
  const subjects = new Set<ID>()
  if (tx.kind === "CreateSubnetTx" || tx.kind === "CreateChainTx") subjects.add(id)
  if ("subnetID" in tx) subjects.add(tx.subnetID)
  if (tx.kind === "ImportTx") subjects.add(tx.sourceChain)
  if (tx.kind === "ExportTx") subjects.add(tx.destinationChain)
  if (tx.kind === "RemoveSubnetValidatorTx") subjects.add(nodeSubject(tx.nodeID))
  const staker = stakerOfTx({ id, unsignedTx: tx }, view)
  if (staker) for (const subject of [staker.txID, staker.subnetID, nodeSubject(staker.nodeID)]) subjects.add(subject)
  if (tx.kind === "ConvertSubnetToL1Tx") subjects.add(tx.chainID)
  for (const { validationID, validator } of l1ChangesOf(tx, view)) {
    subjects.add(validationID)
    if (validator) for (const subject of [validator.subnetID, nodeSubject(validator.nodeID)]) subjects.add(subject)
  }
  return subjects
}

/** Returns the staker that a transaction creates, changes or rewards, and the transaction that added it. */
export function stakerOfTx({ id, unsignedTx: tx }: Pick<Tx, "id" | "unsignedTx">, view: View) {
  const txID = "txID" in tx ? tx.txID : id
  const info = "txID" in tx ? acceptedStaker(view, txID) : stakerInfoOf(tx)
  return info && { txID, role: info.role, nodeID: info.nodeID, subnetID: info.subnetID }
}

/** What a transaction does to an L1 validator. Amounts in nAVAX. */
export interface L1Change {
  readonly validationID: ID
  /** The validator as it was created; `undefined` if it is unknown. */
  readonly validator: NewL1Validator | undefined
  /** The weight from then on. */
  readonly weight?: bigint
  /** The amount that is added to its balance. */
  readonly added?: bigint
}

/** Returns the L1 validators that a transaction registers, changes, tops up or disables. */
export function l1ChangesOf(tx: UnsignedTx, view: View): readonly L1Change[] {
  const change = l1ChangeOf(tx)
  if (change) return [{ ...change, validator: createdL1Validator(view, change.validationID) }]
  return createdL1Validators(tx).map((validator) => {
    const { validationID, weight, balance } = validator
    return { validationID, validator, weight, added: balance }
  })
}

/** Returns the change of a validator that was created before. */
function l1ChangeOf(tx: UnsignedTx): Omit<L1Change, "validator"> | undefined {
  switch (tx.kind) {
    case "SetL1ValidatorWeightTx": {
      const { validationID, weight } = openWarpMessage(tx.message, "L1ValidatorWeight").message
      return { validationID, weight }
    }
    case "IncreaseL1ValidatorBalanceTx":
      return { validationID: tx.validationID, added: tx.balance }
    case "DisableL1ValidatorTx":
      return { validationID: tx.validationID }
    default:
      return undefined
  }
}
