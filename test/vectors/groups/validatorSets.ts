import { RecentBlocks } from "../../../src/core/chain/recentBlocks.js"
import { currentSet, type ValidatorSet, validatorSetAt } from "../../../src/core/rules/validatorSet.js"
import { Diff } from "../../../src/core/state/diff.js"
import { activeL1Count, l1WeightOf, putL1Validator } from "../../../src/core/state/l1Validators.js"
import { changeWeight, recordSetChanges, UNCHANGED } from "../../../src/core/state/setChanges.js"
import { Priority, type Staker } from "../../../src/core/state/staker.js"
import { deleteCurrentStaker } from "../../../src/core/state/stakers.js"
import { type L1Validator, tables } from "../../../src/core/state/tables.js"
import type { View } from "../../../src/core/state/view.js"
import { EMPTY_NODE_ID, type ID, type NodeID, PRIMARY_NETWORK_ID } from "../../../src/core/types/id.js"
import { bls } from "../../../src/platform/backends.js"
import { addCurrentStaker } from "../../fixtures/stakers.js"
import { given, idOfNumber, stakerWith } from "../../fixtures/state.js"
import { idOfByte } from "../../fixtures/txs.js"
import type { Entry, Group } from "../group.js"

const SUBNET = idOfByte(0x5b)

/** Converts a name to a number, because vectors give IDs and keys any names. */
const numberOf = (name: string): bigint => BigInt(`0x${Buffer.from(name).toString("hex")}`)
const nodeNamed = (name: string): NodeID => (name === "EMPTY" ? EMPTY_NODE_ID : (idOfNumber(numberOf(name)).slice(-40) as NodeID))
const validationNamed = (name: string): ID => idOfNumber(numberOf(name))

/** Valid compressed keys by name. The state has them uncompressed. */
const keys = new Map<string, Uint8Array>()
function keyNamed(name: string): Uint8Array {
  let key = keys.get(name)
  if (!key) {
    key = bls().publicKey(Uint8Array.from({ length: 32 }, (_, i) => (i === 31 ? keys.size + 1 : 0)))
    keys.set(name, key)
  }
  return key
}
const nameOfKey = (key: Uint8Array | undefined): string | null => {
  for (const [name, compressed] of keys) if (key && Buffer.compare(bls().decompressKey(compressed), key) === 0) return name
  return null
}

export const validatorSets: Group = {
  weightDiff({ input, expected }, verdict) {
    const combine = () => {
      let diff = UNCHANGED
      for (const { op, amount } of input.ops) diff = changeWeight(diff, { decrease: op === "sub", amount: BigInt(amount) })
      return diff
    }
    if (expected.error !== undefined) return verdict.refuses(`changes (${expected.error})`, combine)
    verdict.equal("diff", combine(), expected)
  },

  recordedDiff({ input, expected }, verdict) {
    const { before, diff, validator } = changedStakers(input)
    recordSetChanges(diff, 7n)
    const at = { subnetID: validator.subnetID, nodeID: validator.nodeID, height: 7n }
    const keyDiff = diff.get(tables.keyDiffs, at)
    verdict.equal("weight", diff.get(tables.weightDiffs, at), { decrease: expected.decrease, amount: expected.amount })
    verdict.equal("prevKey", nameOfKey(before.get(tables.members, validator)?.publicKey), expected.prevKey)
    verdict.equal("newKey", nameOfKey(diff.get(tables.members, validator)?.publicKey), expected.newKey)
    verdict.equal("keyDiffWritten", keyDiff !== undefined, expected.keyDiffWritten)
    if (keyDiff) verdict.equal("recorded key", nameOfKey(keyDiff.publicKey), expected.prevKey)
  },

  l1Commit({ input, expected }, verdict) {
    const before = given()
    for (const each of input.initial) putL1Validator(before, validationNamed(each.validationID), l1ValidatorOf(each))
    const diff = new Diff(before)
    for (const each of input.puts) putL1Validator(diff, validationNamed(each.validationID), l1ValidatorOf(each))
    recordSetChanges(diff, 1n)
    verdict.equal("setAfter", shown(currentSet(diff, SUBNET)), setIn(expected.setAfter))
    verdict.equal("setBefore", shown(validatorSetAt(diff, SUBNET, 0n)), setIn(expected.setBefore))
    verdict.equal("recordedDiffs", recordedAt(diff, 1n), diffsIn(expected.recordedDiffs))
    verdict.equal("numActive", activeL1Count(diff), expected.numActive)
    verdict.equal("totalWeight", l1WeightOf(diff, SUBNET), expected.totalWeight)
  },

  l1PutError({ input, expected }, verdict) {
    const state = given()
    const legacy = stakerWith({
      priority: Priority.subnetPermissionedValidatorCurrent,
      subnetID: SUBNET,
      nodeID: nodeNamed(input.legacyValidatorNodeID),
    })
    addCurrentStaker(state, legacy)
    const { existing, put } = input
    putL1Validator(state, validationNamed(existing.validationID), l1ValidatorOf(existing))
    verdict.refuses(`put (${expected.error})`, () => putL1Validator(state, validationNamed(put.validationID), l1ValidatorOf(put)))
  },

  l1Order({ input, expected }, verdict) {
    const [left, right] = [input.left, input.right].map(({ endAccumulatedFee, validationID }: Entry) =>
      tables.activeL1Validators.key.toText({ endAccumulatedFee: BigInt(endAccumulatedFee), validationID }),
    ) as [string, string]
    verdict.equal("compare", left < right ? -1 : left > right ? 1 : 0, expected.compare)
  },

  history({ input, expected }, verdict) {
    let state = given()
    const heights = Object.keys(expected.setAtHeight).map(BigInt)
    for (const { height, added, removed } of input.steps) {
      const diff = new Diff(state)
      const staker = (name: string) => historyStaker(name, BigInt(input.weights[name]))
      // A subnet's validator has the key of its node's primary one, which must be there first.
      for (const name of [...added].sort()) addCurrentStaker(diff, staker(name))
      for (const name of removed) deleteCurrentStaker(diff, staker(name))
      recordSetChanges(diff, BigInt(height))
      state = diff
      for (const past of heights) {
        if (past > BigInt(height)) continue
        verdict.equal(
          `set at ${past} seen from ${height}`,
          namesAt(state, past),
          setOfNames(input, expected.setAtHeight[`${past}`]),
        )
      }
    }
  },

  minimumHeight({ input, expected }, verdict) {
    const recent = new RecentBlocks()
    for (const { height, at } of input.accepted) recent.add(BigInt(height), Number(at) * 1000)
    verdict.equal("height", recent.minimumHeight(BigInt(input.lastAcceptedHeight), Number(input.now) * 1000), expected.height)
  },
}

/** A state with a validator and its delegators, and the change that a vector describes. */
function changedStakers(input: Entry): { before: View; diff: Diff; validator: Staker } {
  const isPrimary = input.set === "primary"
  const publicKey = input.primaryKey === null ? undefined : keyNamed(input.primaryKey)
  const primary = stakerWith({ priority: Priority.primaryValidatorCurrent, publicKey, txID: idOfNumber(1) })
  const subnet = stakerWith({ priority: Priority.subnetPermissionedValidatorCurrent, subnetID: SUBNET, txID: idOfNumber(2) })
  const validator = { ...(isPrimary ? primary : subnet), weight: BigInt(input.weight ?? 1) }
  const delegator = (weight: Entry, i: number): Staker => ({
    ...validator,
    priority: isPrimary ? Priority.primaryDelegatorCurrent : Priority.subnetPermissionlessDelegatorCurrent,
    publicKey: undefined,
    weight: BigInt(weight),
    txID: idOfNumber(100 + i),
  })
  const leaving = (input.deletedDelegators ?? []).map(delegator)
  const joining = (input.addedDelegators ?? []).map((weight: Entry, i: number) => delegator(weight, 50 + i))
  const before = given()
  if (!isPrimary) addCurrentStaker(before, primary)
  if (input.status !== "added") addCurrentStaker(before, validator)
  for (const each of leaving) addCurrentStaker(before, each)
  const diff = new Diff(before)
  if (input.status === "added") addCurrentStaker(diff, validator)
  for (const each of joining) addCurrentStaker(diff, each)
  for (const each of leaving) deleteCurrentStaker(diff, each)
  if (input.status === "deleted") deleteCurrentStaker(diff, validator)
  return { before, diff, validator }
}

function l1ValidatorOf({ nodeID, publicKey, weight, endAccumulatedFee, active }: Entry): L1Validator {
  const nobody = { threshold: 0, addresses: [] }
  return {
    subnetID: SUBNET,
    nodeID: nodeNamed(nodeID),
    publicKey: bls().decompressKey(keyNamed(publicKey ?? "K")),
    remainingBalanceOwner: nobody,
    deactivationOwner: nobody,
    startTime: 0n,
    weight: BigInt(weight ?? 1),
    minNonce: 0n,
    endAccumulatedFee: BigInt(endAccumulatedFee ?? (active ? 1 : 0)),
  }
}

function shown(set: ValidatorSet): Record<string, unknown> {
  return Object.fromEntries(
    [...set].map(([nodeID, { weight, publicKey }]) => [nodeID, { weight, publicKey: nameOfKey(publicKey) }]),
  )
}

const byNode = (named: Entry, map: (value: Entry) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [nodeNamed(name), map(value)]))

const setIn = (named: Entry) => byNode(named, ({ weight, publicKey }) => ({ weight, publicKey }))

/** A vector omits the members that were not recorded. */
const diffsIn = (named: Entry) => byNode(named, (diff) => diff)

function recordedAt(view: View, height: bigint): Record<string, object> {
  const recorded: Record<string, object> = {}
  for (const [key, weight] of view.rows(tables.weightDiffs)) if (key.height === height) recorded[key.nodeID] = { weight }
  for (const [key, { publicKey }] of view.rows(tables.keyDiffs)) {
    if (key.height !== height) continue
    recorded[key.nodeID] = { ...recorded[key.nodeID], previousPublicKey: nameOfKey(publicKey) }
  }
  return recorded
}

/** `p3` is the primary network validator of node 3 with key K3, `s3` the subnet's at the same node. */
function historyStaker(name: string, weight: bigint): Staker {
  const node = name.slice(1)
  const who = { nodeID: nodeNamed(node), weight, txID: idOfNumber(numberOf(name)) }
  if (name.startsWith("p")) {
    return stakerWith({ ...who, priority: Priority.primaryValidatorCurrent, publicKey: keyNamed(`K${node}`) })
  }
  return stakerWith({ ...who, priority: Priority.subnetPermissionlessValidatorCurrent, subnetID: SUBNET })
}

function namesAt(view: View, height: bigint): Record<string, unknown> {
  const [primary, subnet] = [PRIMARY_NETWORK_ID, SUBNET].map((each) => shown(validatorSetAt(view, each, height)))
  return { primary, subnet }
}

function setOfNames({ weights }: Entry, names: readonly string[]): Record<string, unknown> {
  const of = (letter: string) =>
    Object.fromEntries(
      names
        .filter((name) => name.startsWith(letter))
        .map((name) => [nodeNamed(name.slice(1)), { weight: weights[name], publicKey: `K${name.slice(1)}` }]),
    )
  return { primary: of("p"), subnet: of("s") }
}
