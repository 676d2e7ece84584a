import type { Bls } from "../crypto/bls.js"
import { equalBytes, toHex } from "../lib/bytes.js"
import { Invalid } from "../lib/invalid.js"
import { MAX64 } from "../lib/math64.js"
import { END_OF_TIME } from "../lib/wholeSeconds.js"
import { isActiveL1 } from "../state/l1Validators.js"
import { type DueRow, rowFault } from "../state/rowFault.js"
import { isCurrent, isValidator, type Staker } from "../state/staker.js"
import type { AnyPrimaryTable, Table } from "../state/table.js"
import { heightOf, type L1Validator, tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { acceptedStaker, acceptedTx } from "../txs/execute.js"
import { EMPTY_NODE_ID, type ID, idText, type NodeID, nodeIDText, PRIMARY_NETWORK_ID } from "../types/id.js"
import { decodeUtxo, type Utxo, utxoID } from "../types/utxo.js"

type Faults = Iterable<string | undefined>

/**
 * Compares tables of a state that follow from each other. Yields a sentence for each difference, and `undefined` at other rows, for pauses.
 * Blocks and transactions are compared by `faultsInBlocks`.
 */
export function* faultsInState(view: View, bls: Bls): Faults {
  const fault = faultsOf(view)
  if ((view.get(tables.timestamp, null) ?? 0n) > END_OF_TIME)
    yield fault(tables.timestamp, null, "every chain", { words: "a time up to the year 9999" })
  if (view.get(tables.supplies, PRIMARY_NETWORK_ID) === undefined)
    yield fault(tables.supplies, PRIMARY_NETWORK_ID, "every chain", { words: "the supply of AVAX" })
  yield* faultsInUtxos(view)
  yield* faultsInSubnets(view)
  yield* faultsInStakers(view, tables.currentStakers)
  yield* faultsInStakers(view, tables.pendingStakers)
  yield* faultsInRewards(view)
  yield* faultsInL1Validators(view)
  yield* faultsInSets(view, bls)
}

/** Returns `rowFault` for a view. */
const faultsOf =
  (view: View) =>
  <K, V>(table: Table<K, V>, key: K, source: string, due: DueRow<V>["due"]): string =>
    rowFault(view, table, key, { source, due })

function* faultsInUtxos(view: View): Faults {
  const fault = faultsOf(view)
  const underID = ({ txID, outputIndex }: Utxo) => ({ words: `the key ${utxoID(txID, outputIndex)}` })
  for (const [key, utxo] of view.rows(tables.utxos))
    yield isIDOf(key, utxo) ? undefined : fault(tables.utxos, key, "its transaction and index", underID(utxo))
  for (const [key, { utxo }] of view.rows(tables.untracedOutputs))
    yield isIDOf(key, utxo) ? undefined : fault(tables.untracedOutputs, key, "its transaction and index", underID(utxo))
  for (const [key, { value }] of view.rows(tables.atomicUtxos)) {
    const utxo = readable(() => decodeUtxo(value))
    const isItsOwn = utxo && isIDOf(key.utxoID, utxo)
    yield isItsOwn ? undefined : fault(tables.atomicUtxos, key, "its value", utxo ? underID(utxo) : { words: "no UTXO" })
  }
  for (const [key] of view.rows(tables.rewardUtxos))
    yield view.get(tables.txs, key.txID) ? undefined : fault(tables.rewardUtxos, key, "txs", undefined)
}

const isIDOf = (key: ID, { txID, outputIndex }: Utxo): boolean => utxoID(txID, outputIndex) === key

function* faultsInSubnets(view: View): Faults {
  const fault = faultsOf(view)
  const isSubnet = (subnetID: ID) => subnetID === PRIMARY_NETWORK_ID || view.get(tables.subnets, subnetID) !== undefined
  for (const table of [tables.subnetOwners, tables.transformations, tables.conversions, tables.supplies] as AnyPrimaryTable[]) {
    for (const [subnetID] of view.rows(table)) yield isSubnet(subnetID) ? undefined : fault(table, subnetID, "subnets", undefined)
  }
  for (const [subnetID] of view.rows(tables.subnets)) {
    if (!isOf(view, subnetID, "CreateSubnetTx")) yield fault(tables.subnets, subnetID, "txs", undefined)
    const isOwned = view.get(tables.subnetOwners, subnetID) !== undefined
    yield isOwned ? undefined : fault(tables.subnetOwners, subnetID, "subnets", { words: "its owner" })
  }
  for (const [subnetID, { txID }] of view.rows(tables.transformations))
    yield isOf(view, txID, "TransformSubnetTx") ? undefined : fault(tables.transformations, subnetID, "txs", undefined)
  for (const [chainID, { subnetID }] of view.rows(tables.chains))
    yield isSubnet(subnetID) ? undefined : fault(tables.chains, chainID, "subnets", undefined)
}

const isOf = (view: View, txID: ID, kind: string): boolean => acceptedTx(view, txID)?.unsignedTx.kind === kind

/** Compares the stakers in their order with the same by their nodes, and with the transactions that added them. */
function* faultsInStakers(view: View, inOrder: typeof tables.currentStakers): Faults {
  const isCurrentSet = inOrder === tables.currentStakers
  const [validators, delegators] = isCurrentSet
    ? [tables.currentValidators, tables.currentDelegators]
    : [tables.pendingValidators, tables.pendingDelegators]
  const fault = faultsOf(view)
  let rows = 0
  for (const [key, staker] of view.rows(inOrder)) {
    const of = (isValidator(staker.priority) ? validators : delegators) as AnyPrimaryTable
    const place = inOrder.key.toText(staker)
    if (inOrder.key.toText(key) !== place || isCurrent(staker.priority) !== isCurrentSet)
      yield fault(inOrder, key, "its time and priority", {
        words: `the key ${place} of ${isCurrentSet ? "pending" : "current"} stakers`,
      })
    const nextTime = isCurrentSet ? staker.endTime : staker.startTime
    if (staker.nextTime !== nextTime || nextTime > END_OF_TIME)
      yield fault(inOrder, key, "its term", { words: `the next time ${nextTime}, up to ${END_OF_TIME}` })
    if (!isSame(view.get(of, staker), staker)) yield fault(of, of.key.fromText(of.key.toText(staker)), inOrder.name, staker)
    if (!isAdded(view, staker)) yield fault(inOrder, key, `transaction ${idText(staker.txID)}`, { words: addedBy(view, staker) })
    rows++
    yield undefined
  }
  for (const table of [validators, delegators] as AnyPrimaryTable[]) for (const _ of view.rows(table)) rows--
  if (rows === 0) return
  for (const table of [validators, delegators] as AnyPrimaryTable[])
    for (const [key, staker] of view.rows(table))
      if (!isSame(view.get(inOrder, staker), staker)) yield fault(table, key, inOrder.name, undefined)
}

const isSame = (a: Staker | undefined, b: Staker): boolean =>
  a !== undefined && JSON.stringify(a, comparable) === JSON.stringify(b, comparable)

const comparable = (_: string, value: unknown) =>
  typeof value === "bigint" ? `${value}` : value instanceof Uint8Array ? toHex(value) : value

/** An auto-renewed validator weighs its stake and its restaked rewards. */
function isAdded(view: View, { txID, nodeID, subnetID, weight, priority }: Staker): boolean {
  const added = acceptedStaker(view, txID)
  if (!added || added.nodeID !== nodeID || added.subnetID !== subnetID) return false
  const renewal = isValidator(priority) ? view.get(tables.renewals, { subnetID, nodeID }) : undefined
  const restaked = renewal ? renewal.accruedValidationRewards + renewal.accruedDelegateeRewards : 0n
  return (
    weight === added.weight + restaked &&
    (added.role === "validator") === isValidator(priority) &&
    [added.pendingPriority, added.currentPriority].includes(priority)
  )
}

/** Says which staker the transaction of a staker added. */
function addedBy(view: View, { txID, subnetID, nodeID }: Staker): string {
  const added = acceptedStaker(view, txID)
  if (!added) return "no staker"
  const renewal = view.get(tables.renewals, { subnetID, nodeID })
  const restaked = renewal ? `, and ${renewal.accruedValidationRewards + renewal.accruedDelegateeRewards} that it restaked` : ""
  return `a ${added.role} ${nodeIDText(added.nodeID)} of ${idText(added.subnetID)} with the weight ${added.weight}${restaked}`
}

/** What a validator earned so far belongs to a validator that is there, and a cycle to one that renews itself. */
function* faultsInRewards(view: View): Faults {
  const fault = faultsOf(view)
  for (const [key] of view.rows(tables.delegateeRewards)) {
    const isThere = view.get(tables.currentValidators, key) !== undefined
    yield isThere ? undefined : fault(tables.delegateeRewards, key, "currentValidators", undefined)
  }
  for (const [key] of view.rows(tables.renewals)) {
    const staker = view.get(tables.currentValidators, key)
    const isRenewed = staker !== undefined && isOf(view, staker.txID, "AddAutoRenewedValidatorTx")
    yield isRenewed ? undefined : fault(tables.renewals, key, "currentValidators", undefined)
  }
}

function* faultsInL1Validators(view: View): Faults {
  const fault = faultsOf(view)
  const weights = new Map<ID, bigint>()
  let active = 0n
  for (const [validationID, validator] of view.rows(tables.l1Validators)) {
    const { subnetID, weight } = validator
    weights.set(subnetID, (weights.get(subnetID) ?? 0n) + weight)
    if (isActiveL1(validator)) active++
    yield* faultsInL1Validator(view, validationID, validator)
    yield undefined
  }
  for (const [subnetID, weight] of view.rows(tables.l1Weights)) {
    const due = weights.get(subnetID)
    if (weight !== (due ?? 0n)) yield fault(tables.l1Weights, subnetID, "l1Validators", due)
    weights.delete(subnetID)
  }
  for (const [subnetID, weight] of weights) yield fault(tables.l1Weights, subnetID, "l1Validators", weight)
  for (const [key, validationID] of view.rows(tables.l1ValidationIDs)) {
    const validator = view.get(tables.l1Validators, validationID)
    const isListed = validator?.subnetID === key.subnetID && validator.nodeID === key.nodeID
    if (!isListed) yield fault(tables.l1ValidationIDs, key, "l1Validators", undefined)
  }
  for (const [key] of view.rows(tables.activeL1Validators)) {
    const validator = view.get(tables.l1Validators, key.validationID)
    const isListed = validator !== undefined && isActiveL1(validator) && validator.endAccumulatedFee === key.endAccumulatedFee
    if (!isListed) yield fault(tables.activeL1Validators, key, "l1Validators", undefined)
  }
  if ((view.get(tables.activeL1Count, null) ?? 0n) !== active) yield fault(tables.activeL1Count, null, "l1Validators", active)
}

function* faultsInL1Validator(view: View, validationID: ID, validator: L1Validator): Iterable<string> {
  const fault = faultsOf(view)
  const { subnetID, nodeID, weight, endAccumulatedFee } = validator
  const isActive = isActiveL1(validator)
  const source = `l1Validators under ${validationID}`
  const [place, listed] = [
    { subnetID, nodeID },
    { endAccumulatedFee, validationID },
  ]
  if (view.get(tables.l1ValidationIDs, place) !== validationID) yield fault(tables.l1ValidationIDs, place, source, validationID)
  if (view.get(tables.conversions, subnetID) === undefined)
    yield fault(tables.conversions, subnetID, source, { words: "the conversion of its subnet" })
  if (weight === 0n) yield fault(tables.l1Validators, validationID, "every L1 validator", { words: "a weight" })
  if (isActive && view.get(tables.activeL1Validators, listed) === undefined)
    yield fault(tables.activeL1Validators, listed, source, null)
  const charged = view.get(tables.accruedFees, null) ?? 0n
  if (isActive && endAccumulatedFee <= charged)
    yield fault(tables.l1Validators, validationID, "accruedFees", { words: `an end after ${charged}` })
}

type Sets = Map<string, { weight: bigint; publicKey: Uint8Array | undefined }>

/** Compares the validator sets with the stakers and L1 validators, and takes back all changes of their weights. */
function* faultsInSets(view: View, bls: Bls): Faults {
  const fault = faultsOf(view)
  const counted: Sets = new Map()
  const add = (subnetID: ID, nodeID: NodeID, weight: bigint, publicKey?: Uint8Array) => {
    const member = counted.get(subnetID + nodeID)
    counted.set(subnetID + nodeID, { weight: (member?.weight ?? 0n) + weight, publicKey: member?.publicKey ?? publicKey })
  }
  for (const [, { subnetID, nodeID, weight, priority, publicKey }] of view.rows(tables.currentStakers)) {
    const key = isValidator(priority) && publicKey && readable(() => bls.decompressKey(publicKey))
    add(subnetID, nodeID, weight, key || undefined)
    yield undefined
  }
  for (const [, validator] of view.rows(tables.l1Validators)) addL1(validator, add)
  const weights = new Map<string, bigint>()
  for (const [{ subnetID, nodeID }, { weight, publicKey }] of view.rows(tables.members)) {
    const member = counted.get(subnetID + nodeID)
    // A validator of a subnet has the key that its node had on the primary network when it came.
    const hasOwnKey = subnetID === PRIMARY_NETWORK_ID || view.get(tables.l1ValidationIDs, { subnetID, nodeID }) !== undefined
    const isKey = !hasOwnKey || equalBytes(publicKey ?? new Uint8Array(), member?.publicKey ?? new Uint8Array())
    const due = member && { weight: member.weight, publicKey: hasOwnKey ? member.publicKey : publicKey }
    if (member?.weight !== weight || !isKey) yield fault(tables.members, { subnetID, nodeID }, "its validators", due)
    counted.delete(subnetID + nodeID)
    weights.set(subnetID + nodeID, weight)
    yield undefined
  }
  for (const [place, due] of counted) yield fault(tables.members, tables.members.key.fromText(place), "its validators", due)
  for (const [{ subnetID, nodeID, height }, { decrease, amount }] of view.rows(tables.weightDiffs)) {
    const before = (weights.get(subnetID + nodeID) ?? 0n) + (decrease ? amount : -amount)
    if (before < 0n || before > MAX64 || height > heightOf(view)) {
      const words = `a weight of ${before} before block ${height}, up to block ${heightOf(view)}`
      yield fault(tables.weightDiffs, { subnetID, nodeID, height }, "members", { words })
    }
    weights.set(subnetID + nodeID, before)
    yield undefined
  }
}

/** Inactive validators count under the empty node ID, without a key. */
function addL1(
  validator: L1Validator,
  add: (subnetID: ID, nodeID: NodeID, weight: bigint, publicKey?: Uint8Array) => void,
): void {
  const { subnetID, nodeID, weight, publicKey } = validator
  if (isActiveL1(validator)) add(subnetID, nodeID, weight, publicKey)
  else add(subnetID, EMPTY_NODE_ID, weight)
}

/** Returns a value that was read; `undefined` if the bytes are malformed. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Invalid) return undefined
    throw error
  }
}
