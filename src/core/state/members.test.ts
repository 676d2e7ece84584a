import { expect, test } from "vitest"
import { blsKeyOf } from "../../../test/fixtures/keys.js"
import { given, stakerWith } from "../../../test/fixtures/state.js"
import { idOfByte, nodeIDOfByte } from "../../../test/fixtures/txs.js"
import { bls } from "../crypto/backends.js"
import { PRIMARY_NETWORK_ID } from "../types/id.js"
import { addWeight, removeWeight } from "./members.js"
import { Priority } from "./staker.js"
import { addCurrentStaker, deleteCurrentStaker } from "./stakers.js"
import { tables } from "./tables.js"

const nodeID = nodeIDOfByte(1)
const key = { subnetID: PRIMARY_NETWORK_ID, nodeID }
const publicKey = blsKeyOf(1).publicKey
const validator = stakerWith({ nodeID, weight: 5n, publicKey: [publicKey], priority: Priority.primaryValidatorCurrent })
const delegator = stakerWith({ nodeID, weight: 2n, txID: idOfByte(2), priority: Priority.primaryDelegatorCurrent })

test("a member weighs what its validator and all delegators weigh, and is gone with the last of it", () => {
  const state = given()
  addCurrentStaker(state, validator)
  addCurrentStaker(state, delegator)
  expect(state.get(tables.members, key)).toEqual({ weight: 7n, publicKey: [bls().decompressKey(publicKey)] })
  deleteCurrentStaker(state, delegator)
  deleteCurrentStaker(state, validator)
  expect(state.get(tables.members, key)).toBeUndefined()
})

test("a delegator that begins before its validator in the same second does not cost it its key", () => {
  const state = given()
  addCurrentStaker(state, delegator)
  expect(state.get(tables.members, key)).toEqual({ weight: 2n, publicKey: [] })
  addCurrentStaker(state, validator)
  expect(state.get(tables.members, key)).toEqual({ weight: 7n, publicKey: [bls().decompressKey(publicKey)] })
})

test("a subnet's validator has the key of its node on the primary network", () => {
  const state = given()
  const subnetID = idOfByte(3)
  addCurrentStaker(state, validator)
  addCurrentStaker(state, stakerWith({ nodeID, subnetID, priority: Priority.subnetPermissionedValidatorCurrent, weight: 9n }))
  expect(state.get(tables.members, { subnetID, nodeID })).toEqual({ weight: 9n, publicKey: [bls().decompressKey(publicKey)] })
})

test("no weight makes no member, and a stranger has none to lose", () => {
  const state = given()
  addWeight(state, key, 0n, [])
  expect(state.get(tables.members, key)).toBeUndefined()
  expect(() => removeWeight(state, key, 1n)).toThrow("no member")
})
