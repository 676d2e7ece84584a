import { expect, test } from "vitest"
import {
  IDLE_L1_NODE,
  IDLE_VALIDATION,
  L1,
  L1_NODE,
  MANAGER_CHAIN,
  NOW,
  OTHER_NODE,
  SUBNET,
  smallState,
  VALIDATION,
} from "../../../test/fixtures/smallChain.js"
import { hexToBytes, toHex } from "../../core/lib/bytes.js"
import { tables } from "../../core/state/tables.js"
import { P_CHAIN_ID, PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import { ValidatorState } from "../proto/validator_state_pb.js"
import { clientOf } from "../served.fixture.js"
import { validatorStateService } from "./validatorState.js"

const { method } = ValidatorState
const view = smallState()
const open = () => clientOf(validatorStateService({ view: () => view, height: () => 9n, minimumHeight: () => 7n }))

test("heights are those of the P-Chain", async () => {
  const client = await open()
  expect(await client.call(method.getCurrentHeight, {})).toMatchObject({ height: 9n })
  expect(await client.call(method.getMinimumHeight, {})).toMatchObject({ height: 7n })
})

test("a chain has its subnet; the P-Chain has the primary network; others are an error", async () => {
  const client = await open()
  const subnetOf = async (chainID: string) =>
    toHex((await client.call(method.getSubnetID, { chainId: hexToBytes(chainID) })).subnetId)
  expect(await subnetOf(MANAGER_CHAIN)).toBe(L1)
  expect(await subnetOf(P_CHAIN_ID)).toBe(PRIMARY_NETWORK_ID)
  await expect(subnetOf("77".repeat(32))).rejects.toMatchObject({ status: 2 })
})

test("the signers of an L1 are its active validators, and its whole weight counts", async () => {
  const client = await open()
  const signer = view.get(tables.l1Validators, VALIDATION)
  const { totalWeight, validators } = await client.call(method.getWarpValidatorSet, { height: 9n, subnetId: hexToBytes(L1) })
  expect(totalWeight).toBe(100n)
  expect(validators.map(({ publicKey, weight, nodeIds }) => [toHex(publicKey), weight, nodeIds.map(toHex)])).toEqual([
    [toHex(signer?.publicKey as Uint8Array), 90n, [L1_NODE]],
  ])
  const { validatorSets } = await client.call(method.getWarpValidatorSets, { height: 9n })
  const own = validatorSets.find(({ subnetId }) => toHex(subnetId) === L1)
  expect(own).toMatchObject({ totalWeight: 100n })
  expect(own?.validators).toEqual(
    validators.map((each) => expect.objectContaining({ weight: each.weight, publicKey: each.publicKey })),
  )
  expect(validatorSets.some(({ subnetId }) => toHex(subnetId) === PRIMARY_NETWORK_ID)).toBe(true)
})

test("a height that the P-Chain has not reached is an error", async () => {
  const client = await open()
  const asked = client.call(method.getValidatorSet, { height: 10n, subnetId: hexToBytes(L1) })
  await expect(asked).rejects.toMatchObject({ status: 2, message: "the P-Chain has not reached height 10" })
})

test("the current validators of an L1 have their validation IDs, active or not", async () => {
  const client = await open()
  const { validators, currentHeight } = await client.call(method.getCurrentValidatorSet, { subnetId: hexToBytes(L1) })
  expect(currentHeight).toBe(9n)
  const facts = validators.map(({ nodeId, weight, validationId, isActive, isL1Validator, minNonce, startTime, publicKey }) => ({
    ...{ node: toHex(nodeId), weight, validation: toHex(validationId), isActive, isL1Validator, minNonce, startTime },
    keySize: publicKey.length,
  }))
  const common = { isL1Validator: true, minNonce: 3n, startTime: NOW - 1000n, keySize: 96 }
  expect(facts).toEqual([
    { node: L1_NODE, weight: 90n, validation: VALIDATION, isActive: true, ...common },
    { node: IDLE_L1_NODE, weight: 10n, validation: IDLE_VALIDATION, isActive: false, ...common },
  ])
})

test("the validators of a permissioned subnet have the IDs of their transactions", async () => {
  const client = await open()
  const { validators } = await client.call(method.getCurrentValidatorSet, { subnetId: hexToBytes(SUBNET) })
  const staker = view.get(tables.currentValidators, { subnetID: SUBNET, nodeID: OTHER_NODE })
  expect(
    validators.map(({ nodeId, validationId, isActive, isL1Validator }) => [
      toHex(nodeId),
      toHex(validationId),
      isActive,
      isL1Validator,
    ]),
  ).toEqual([[OTHER_NODE, staker?.txID, true, false]])
  const { validators: set } = await client.call(method.getValidatorSet, { height: 9n, subnetId: hexToBytes(SUBNET) })
  expect(set.map(({ nodeId, weight }) => [toHex(nodeId), weight])).toEqual([[OTHER_NODE, staker?.weight]])
})
