import type { Bls } from "../crypto/bls.js"
import { equalBytes, toHex } from "../lib/bytes.js"
import { Invalid } from "../lib/invalid.js"
import { MAX64 } from "../lib/math64.js"
import { END_OF_TIME } from "../lib/wholeSeconds.js"
import { isActiveL1 } from "../state/l1Validators.js"
import { isCurrent, isValidator, type Staker } from "../state/staker.js"
import type { AnyPrimaryTable } from "../state/table.js"
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
  if ((view.get(tables.timestamp, null) ?? 0n) > END_OF_TIME) yield "the time of the last block is after the year 9999"
  if (view.get(tables.supplies, PRIMARY_NETWORK_ID) === undefined) yield "there is no supply of AVAX"
  yield* faultsInUtxos(view)
  yield* faultsInSubnets(view)
  yield* faultsInStakers(view, tables.currentStakers)
  yield* faultsInStakers(view, tables.pendingStakers)
  yield* faultsInRewards(view)
  yield* faultsInL1Validators(view)
  yield* faultsInSets(view, bls)
}

function* faultsInUtxos(view: View): Faults {
  for (const [key, utxo] of view.rows(tables.utxos)) yield isIDOf(key, utxo) ? undefined : otherUtxo(tables.utxos, key)
  for (const [key, { utxo }] of view.rows(tables.untracedOutputs))
    yield isIDOf(key, utxo) ? undefined : otherUtxo(tables.untracedOutputs, key)
  for (const [{ utxoID: key }, { value }] of view.rows(tables.atomicUtxos)) {
    const utxo = readable(() => decodeUtxo(value))
    yield utxo && isIDOf(key, utxo) ? undefined : `the imported UTXO ${idText(key)} is none`
  }
  for (const [{ txID }] of view.rows(tables.rewardUtxos)) {
    yield view.get(tables.txs, txID) ? undefined : `there is a reward of ${idText(txID)}, which is no transaction`
  }
}

const otherUtxo = ({ name }: AnyPrimaryTable, key: ID) => `${name} has ${idText(key)}, which is the ID of another UTXO`
const isIDOf = (key: ID, { txID, outputIndex }: Utxo): boolean => utxoID(txID, outputIndex) === key

function* faultsInSubnets(view: View): Faults {
  const isSubnet = (subnetID: ID) => subnetID === PRIMARY_NETWORK_ID || view.get(tables.subnets, subnetID) !== undefined
  for (const table of [tables.subnetOwners, tables.transformations, tables.conversions, tables.supplies] as AnyPrimaryTable[]) {
    for (const [subnetID] of view.rows(table)) yield isSubnet(subnetID) ? undefined : unknownSubnet(table.name, subnetID)
  }
  for (const [subnetID] of view.rows(tables.subnets)) {
    const isMade = isOf(view, subnetID, "CreateSubnetTx") && view.get(tables.subnetOwners, subnetID) !== undefined
    yield isMade ? undefined : `the subnet ${idText(subnetID)} has no owner, or no transaction that made it`
  }
  for (const [subnetID, { txID }] of view.rows(tables.transformations)) {
    const isMade = isOf(view, txID, "TransformSubnetTx")
    yield isMade ? undefined : `the transformation of ${idText(subnetID)} has no transaction that made it`
  }
  for (const [, { subnetID }] of view.rows(tables.chains))
    yield isSubnet(subnetID) ? undefined : unknownSubnet(tables.chains.name, subnetID)
}

const isOf = (view: View, txID: ID, kind: string): boolean => acceptedTx(view, txID)?.unsignedTx.kind === kind
const unknownSubnet = (table: string, subnetID: ID) => `${table} names ${idText(subnetID)}, which is no subnet`

/** Compares the stakers in their order with the same by their nodes, and with the transactions that added them. */
function* faultsInStakers(view: View, inOrder: typeof tables.currentStakers): Faults {
  const isCurrentSet = inOrder === tables.currentStakers
  const [validators, delegators] = isCurrentSet
    ? [tables.currentValidators, tables.currentDelegators]
    : [tables.pendingValidators, tables.pendingDelegators]
  let rows = 0
  for (const [key, staker] of view.rows(inOrder)) {
    const of = isValidator(staker.priority) ? validators : delegators
    const listed = view.get<unknown, Staker>(of as never, staker)
    const isInOrder = inOrder.key.toText(key) === inOrder.key.toText(staker) && isCurrent(staker.priority) === isCurrentSet
    const isDue = staker.nextTime === (isCurrentSet ? staker.endTime : staker.startTime) && staker.nextTime <= END_OF_TIME
    if (!isInOrder || !isDue || !isSame(listed, staker)) yield `${inOrder.name} and ${of.name} differ at ${idText(staker.txID)}`
    if (!isAdded(view, staker)) yield `the staker of ${idText(staker.txID)} is not the one that its transaction added`
    rows++
    yield undefined
  }
  for (const table of [validators, delegators] as AnyPrimaryTable[]) for (const _ of view.rows(table)) rows--
  if (rows !== 0) yield `${validators.name} and ${delegators.name} do not have the stakers of ${inOrder.name}`
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

/** What a validator earned so far belongs to a validator that is there, and a cycle to one that renews itself. */
function* faultsInRewards(view: View): Faults {
  for (const [key] of view.rows(tables.delegateeRewards)) {
    yield view.get(tables.currentValidators, key)
      ? undefined
      : `delegateeRewards names ${nodeIDText(key.nodeID)}, which is no validator`
  }
  for (const [key] of view.rows(tables.renewals)) {
    const staker = view.get(tables.currentValidators, key)
    const isRenewed = staker !== undefined && isOf(view, staker.txID, "AddAutoRenewedValidatorTx")
    yield isRenewed ? undefined : `renewals names ${nodeIDText(key.nodeID)}, which does not renew itself`
  }
}

function* faultsInL1Validators(view: View): Faults {
  const weights = new Map<ID, bigint>()
  const charged = view.get(tables.accruedFees, null) ?? 0n
  let [validators, active] = [0n, 0n]
  for (const [validationID, validator] of view.rows(tables.l1Validators)) {
    const { subnetID, weight, endAccumulatedFee } = validator
    weights.set(subnetID, (weights.get(subnetID) ?? 0n) + weight)
    validators++
    const isActive = isActiveL1(validator)
    if (isActive) active++
    const isListed = view.get(tables.activeL1Validators, { endAccumulatedFee, validationID }) !== undefined
    const isFound = view.get(tables.l1ValidationIDs, validator) === validationID
    const isOfL1 = view.get(tables.conversions, subnetID) !== undefined
    const isAgreed = isFound && isOfL1 && weight > 0n && isActive === isListed && (!isActive || endAccumulatedFee > charged)
    yield isAgreed ? undefined : `the L1 validator ${idText(validationID)} is not the same in all tables`
  }
  for (const [subnetID, weight] of view.rows(tables.l1Weights)) {
    if (weight !== (weights.get(subnetID) ?? 0n)) yield `the validators of the L1 ${idText(subnetID)} do not weigh ${weight}`
    weights.delete(subnetID)
  }
  if (weights.size > 0) yield "l1Weights lacks an L1"
  const rowsOf = (table: AnyPrimaryTable) => [...view.rows(table)].length
  if (BigInt(rowsOf(tables.l1ValidationIDs)) !== validators) yield "l1ValidationIDs does not have the L1 validators"
  if (BigInt(rowsOf(tables.activeL1Validators)) !== active || (view.get(tables.activeL1Count, null) ?? 0n) !== active)
    yield "activeL1Validators does not have the active L1 validators"
}

type Sets = Map<string, { weight: bigint; publicKey: Uint8Array | undefined }>

/** Compares the validator sets with the stakers and L1 validators, and takes back all changes of their weights. */
function* faultsInSets(view: View, bls: Bls): Faults {
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
    if (member?.weight !== weight || !isKey) yield `the member ${nodeIDText(nodeID)} of ${idText(subnetID)} is not its validators`
    counted.delete(subnetID + nodeID)
    weights.set(subnetID + nodeID, weight)
    yield undefined
  }
  if (counted.size > 0) yield "members lacks a validator"
  for (const [{ subnetID, nodeID, height }, { decrease, amount }] of view.rows(tables.weightDiffs)) {
    const before = (weights.get(subnetID + nodeID) ?? 0n) + (decrease ? amount : -amount)
    if (before < 0n || before > MAX64 || height > heightOf(view))
      yield `the weight of ${nodeIDText(nodeID)} before block ${height} is ${before}`
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
