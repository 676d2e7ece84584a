import { expect, test } from "vitest"
import { blsKeyOf } from "../../../test/fixtures/keys.js"
import { addCurrentStaker } from "../../../test/fixtures/stakers.js"
import { given, stakerWith } from "../../../test/fixtures/state.js"
import { idOfByte, nodeIDOfByte } from "../../../test/fixtures/txs.js"
import { refusal } from "../../../test/refusal.js"
import { bls } from "../../platform/backends.js"
import { PRIMARY_NETWORK_ID } from "../types/id.js"
import { addWeight, removeWeight } from "./members.js"
import { Priority } from "./staker.js"
import { deleteCurrentStaker, renewCurrentValidator } from "./stakers.js"
import { tables } from "./tables.js"
import { valuesOf } from "./view.js"

const nodeID = nodeIDOfByte(1)
const key = { subnetID: PRIMARY_NETWORK_ID, nodeID }
const publicKey = blsKeyOf(1).publicKey
const validator = stakerWith({ nodeID, weight: 5n, publicKey: publicKey, priority: Priority.primaryValidatorCurrent })
const delegator = stakerWith({ nodeID, weight: 2n, txID: idOfByte(2), priority: Priority.primaryDelegatorCurrent })

test("the weight of a member is that of its validator and all delegators, and it is removed with the last of them", () => {
  const state = given()
  addCurrentStaker(state, validator)
  addCurrentStaker(state, delegator)
  expect(state.get(tables.members, key)).toEqual({ weight: 7n, publicKey: bls().decompressKey(publicKey) })
  deleteCurrentStaker(state, delegator)
  deleteCurrentStaker(state, validator)
  expect(state.get(tables.members, key)).toBeUndefined()
})

test("the current set refuses what the rules exclude: two validators, a delegator alone, a validator that leaves its delegators", () => {
  const state = given()
  const code = (action: () => void) => refusal(action).code
  expect(code(() => addCurrentStaker(state, delegator))).toBe("state.no_current_validator")
  expect(code(() => deleteCurrentStaker(state, validator))).toBe("state.no_current_validator")
  addCurrentStaker(state, validator)
  expect(code(() => addCurrentStaker(state, { ...validator, txID: idOfByte(3) }))).toBe("state.validator_exists")
  addCurrentStaker(state, delegator)
  expect(code(() => deleteCurrentStaker(state, validator))).toBe("state.validator_has_delegators")
  expect(state.get(tables.members, key)?.weight).toBe(7n)
})

test("a renewed validator keeps its key and gains weight, and the rewards of its delegations are removed", () => {
  const state = given()
  addCurrentStaker(state, { ...validator, nextTime: 10n, endTime: 10n })
  state.put(tables.delegateeRewards, key, 3n)
  const ended = state.get(tables.currentValidators, key)!
  const next = { ...ended, startTime: 10n, endTime: 20n, nextTime: 20n, weight: 8n }
  const renewal = { accruedValidationRewards: 1n, accruedDelegateeRewards: 2n, autoCompoundRewardShares: 4, nextPeriod: 10n }
  renewCurrentValidator(state, ended, next, renewal)
  expect([...valuesOf(state.rows(tables.currentStakers))]).toEqual([next])
  expect(state.get(tables.currentValidators, key)).toEqual(next)
  expect(state.get(tables.members, key)).toEqual({ weight: 8n, publicKey: bls().decompressKey(publicKey) })
  expect([state.get(tables.delegateeRewards, key), state.get(tables.renewals, key)]).toEqual([undefined, renewal])
  deleteCurrentStaker(state, next)
  expect(state.get(tables.renewals, key)).toBeUndefined()
})

test("a subnet's validator has the key of its node on the primary network", () => {
  const state = given()
  const subnetID = idOfByte(3)
  addCurrentStaker(state, validator)
  addCurrentStaker(state, stakerWith({ nodeID, subnetID, priority: Priority.subnetPermissionedValidatorCurrent, weight: 9n }))
  expect(state.get(tables.members, { subnetID, nodeID })).toEqual({ weight: 9n, publicKey: bls().decompressKey(publicKey) })
})

test("a weight of zero makes no member, and removing weight from an unknown node is an error", () => {
  const state = given()
  addWeight(state, key, 0n, undefined)
  expect(state.get(tables.members, key)).toBeUndefined()
  expect(() => removeWeight(state, key, 1n)).toThrow("no member")
})
