import { sha256Hex } from "../core/crypto/hash.js"
import { utf8 } from "../core/lib/bytes.js"
import { printRfc3339 } from "../core/lib/go/rfc3339.js"
import type { Json } from "../core/lib/json.js"
import { networkNameOf } from "../core/networks/names.js"
import { gasOf, l1ExcessOf } from "../core/rules/chainTime.js"
import { chainTimeOf } from "../core/rules/context.js"
import { supplyOf } from "../core/rules/staking.js"
import { currentSet } from "../core/rules/validatorSet.js"
import { activeL1Count } from "../core/state/l1Validators.js"
import { isValidator, type Staker } from "../core/state/staker.js"
import type { AnyTable } from "../core/state/table.js"
import { allTables, hashedTables, type Renewal, tables } from "../core/state/tables.js"
import { type IndexedView, type View, valuesOf } from "../core/state/view.js"
import { toHexText } from "../core/types/hexText.js"
import { type ID, idOf, idText, nodeIDText, P_CHAIN_ID, PRIMARY_NETWORK_ID } from "../core/types/id.js"
import { nodeError } from "../datadir/errors.js"
import { nodeTables } from "../datadir/nodeTables.js"
import { storedChain } from "../datadir/storedChain.js"
import { copyHeaderOf } from "../datadir/storedIdentity.js"
import { atomicLines, overridesOf } from "../producer/chain/overrides.js"
import { faultsIn } from "../store/maintenance/check.js"
import { stateHash } from "../store/maintenance/stateHash.js"
import type { Store } from "../store/store.js"

/** Reads every row of these tables and compares the indexes with them. Throws `node.damaged` with the first difference. */
export function checkRows(view: IndexedView, onRow: () => void, checked: readonly AnyTable[] = nodeTables): void {
  const [fault, ...more] = readable(() => faultsIn(view, checked, onRow))
  if (fault !== undefined) throw nodeError("node.damaged", { fault, more: more.length })
}

/** Throws `node.damaged` if a row cannot be read by its table's codec. */
function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith("a stored value of")) throw error
    throw nodeError("node.damaged", { fault: error.message })
  }
}

/** Returns facts about a store for people and scripts, the digest that goverify prints for its state, and a hash over all rows. */
export function summaryOf(store: Store, view: IndexedView) {
  const { rules, genesis, ruleFlags } = storedChain(store)
  const digest = digestOf(view)
  const { kind, id } = copyHeaderOf(store)
  const facts: Readonly<Record<string, Json>> = {
    kind,
    chainID: id,
    network: networkNameOf(rules.networkID),
    networkID: rules.networkID,
    genesisBlockID: idText(genesis.block.id),
    rules: ruleFlags,
    height: digest.height as string,
    timestamp: printRfc3339(chainTimeOf(view)),
    rows: Object.fromEntries(allTables.map((table) => [table.name, countOf(view.rows(table))])),
    activeL1Validators: activeL1Count(view).toString(),
    // Overrides with their heights. No block contains them.
    overrides: [...overridesOf(view)].map(({ height, override }) => ({ height: height.toString(), kind: override.kind })),
  }
  return { facts, digest, hash: stateHash(view, hashedTables) }
}

export function countOf(rows: Iterable<unknown>): number {
  let count = 0
  for (const _ of rows) count++
  return count
}

/**
 * Returns the UTXOs from other chains, as lines that `atomicEdits` and goverify read: those that wait to be imported, and those that were
 * credited by overrides, imported or not, because the chain cannot be verified from genesis without them.
 */
export function atomicUtxosOf(view: View): readonly string[] {
  const lines = new Set(atomicLines(view, idText))
  for (const [key, row] of view.rows(tables.atomicUtxos)) {
    if (key.receiver === P_CHAIN_ID) lines.add(`${toHexText(row.value)} ${idText(key.sender)}`)
  }
  return [...lines]
}

/** Returns a digest of a state, in the form that AvalancheGo's own VM gives through `goverify`. */
export function digestOf(view: View): Readonly<Record<string, Json>> {
  const last = view.get(tables.lastAccepted, null)
  if (!last) throw new Error("the state has no last accepted block")
  // A proposal without its option counts as accepted, though its changes do not.
  const waiting = view.get(tables.waitingProposal, null)
  const stakers = [...valuesOf(view.rows(tables.currentStakers))].filter(({ subnetID }) => subnetID === PRIMARY_NETWORK_ID)
  const stakerLines = stakers.map((staker) => stakerLine(view, staker)).sort()
  const autoRenewed = stakers.filter((staker) => renewalOf(view, staker)).length
  const { capacity, excess } = gasOf(view)
  return {
    height: last.height.toString(),
    lastAccepted: idText(waiting ? idOf(waiting) : last.id),
    timestamp: printRfc3339(chainTimeOf(view)),
    currentSupply: supplyOf(view, PRIMARY_NETWORK_ID).toString(),
    currentValidators: stakers.filter(({ priority }) => isValidator(priority)).length,
    currentDelegators: stakers.filter(({ priority }) => !isValidator(priority)).length,
    ...(autoRenewed > 0 ? { autoRenewedValidators: autoRenewed } : {}),
    stakersHash: sha256Hex(utf8(stakerLines.join("\n"))),
    feeCapacity: capacity,
    feeExcess: excess,
    validatorFeeExcess: l1ExcessOf(view),
    subnets: subnetsOf(view),
  }
}

function stakerLine(view: View, staker: Staker): string {
  const { txID, nodeID, weight, startTime, endTime, potentialReward } = staker
  const line = `${idText(txID)} ${nodeIDText(nodeID)} ${weight} ${startTime} ${endTime} ${potentialReward}`
  const renewal = renewalOf(view, staker)
  if (!renewal) return line
  return `${line} ${renewal.nextPeriod} ${renewal.autoCompoundRewardShares} ${view.get(tables.delegateeRewards, staker) ?? 0n}`
}

function renewalOf(view: View, staker: Staker): Renewal | undefined {
  return isValidator(staker.priority) ? view.get(tables.renewals, staker) : undefined
}

/** Returns every subnet with its validator set, in the order of the IDs as text. */
function subnetsOf(view: View): Json[] {
  const ids: ID[] = [PRIMARY_NETWORK_ID]
  for (const [id] of view.rows(tables.subnets)) ids.push(id)
  return ids
    .map((id) => ({ id, text: idText(id) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ id, text }) => {
      const members = [...currentSet(view, id).values()]
      const weight = members.reduce((sum, member) => sum + member.weight, 0n)
      // AvalancheGo's VM adds weights in this way; those of a permissioned subnet may exceed 64 bits.
      return { id: text, validators: members.length, weight: BigInt.asUintN(64, weight).toString() }
    })
}
