import { L1Validator, PChainOwner, pvm, pvmSerial } from "@avalabs/avalanchejs"
import { expect } from "vitest"
import { AVAX, bytesOf, clockOf, type Identity } from "../made.js"
import type { Step } from "./step.js"
import { initialValidationIDOf, MANAGER, registration, signed, validationIDOf, weightOrder } from "./warp.js"

/** The life of an L1. */
export const l1: readonly Step[] = [
  {
    builder: "newConvertSubnetToL1Tx",
    title: "converts a subnet to an L1 with two validators, each with its balance",
    async run({ wallet, dev, made, a }) {
      const [subnetId, chainId] = [made.id("l1"), made.id("l1 chain")]
      const nodes = [await made.identity("first", dev), await made.identity("second", dev)]
      const owner = PChainOwner.fromNative([a.bytes], 1)
      const validators = nodes
        .map((node) => L1Validator.fromNative(node.nodeID, 100n, 5n * AVAX, possessionOf(node), owner, owner))
        .sort((x, y) => Buffer.compare(x.nodeId.bytes, y.nodeId.bytes))
      await wallet.issue(
        (common) =>
          pvm.newConvertSubnetToL1Tx(
            { ...common, subnetId, chainId, address: MANAGER, subnetAuth: [0], validators },
            wallet.context,
          ),
        { from: [a] },
      )
      expect(await wallet.platform.getSubnet({ subnetID: subnetId })).toMatchObject({
        isPermissioned: false,
        managerChainID: chainId,
        managerAddress: `0x${Buffer.from(MANAGER).toString("hex")}`,
      })
      const validationID = initialValidationIDOf(subnetId, 0)
      const { weight, balance, deactivationOwner } = await wallet.platform.getL1Validator(validationID)
      expect([weight, deactivationOwner.addresses.map((owner) => owner.toBytes())]).toEqual([100n, [a.bytes]])
      // Its fee is counted from the second of its block on.
      expect(5n * AVAX - balance).toBeLessThan(1_000_000n)
      made.keep("first of the L1", validationID)
    },
  },
  {
    builder: "newRegisterL1ValidatorTx",
    title: "registers another validator of the L1 by a Warp message of its manager",
    async run(world) {
      const { wallet, dev, made, a } = world
      const node = await made.identity("registered", dev)
      const payload = registration(world, node, 30n, (await clockOf(dev)) + 3_600n)
      const message = await signed(world, payload)
      await wallet.issue(
        (common) =>
          pvm.newRegisterL1ValidatorTx(
            { ...common, balance: 2n * AVAX, blsSignature: bytesOf(node.proofOfPossession), message },
            wallet.context,
          ),
        { from: [a] },
      )
      const registered = validationIDOf(payload)
      const { nodeID, weight, minNonce, subnetID } = await wallet.platform.getL1Validator(registered)
      expect([nodeID, weight, minNonce, subnetID]).toEqual([node.nodeID, 30n, 0n, made.id("l1")])
      made.keep("registered", registered)
    },
  },
  {
    builder: "newSetL1ValidatorWeightTx",
    title: "changes its weight by another Warp message",
    async run(world) {
      const { wallet, made, a } = world
      const message = await signed(world, weightOrder(made.id("registered"), 5n, 33n))
      await wallet.issue((common) => pvm.newSetL1ValidatorWeightTx({ ...common, message }, wallet.context), { from: [a] })
      const { weight, minNonce } = await wallet.platform.getL1Validator(made.id("registered"))
      expect([weight, minNonce]).toEqual([33n, 6n])
    },
  },
  {
    builder: "newIncreaseL1ValidatorBalanceTx",
    title: "adds to its balance",
    async run({ wallet, made, a }) {
      const validationId = made.id("registered")
      const { balance: before } = await wallet.platform.getL1Validator(validationId)
      await wallet.issue(
        (common) => pvm.newIncreaseL1ValidatorBalanceTx({ ...common, validationId, balance: 1n * AVAX }, wallet.context),
        { from: [a] },
      )
      const { balance } = await wallet.platform.getL1Validator(validationId)
      expect(before + 1n * AVAX - balance).toBeLessThan(1_000_000n)
    },
  },
  {
    builder: "newDisableL1ValidatorTx",
    title: "disables a validator, whose balance is returned to its owner",
    async run({ wallet, made, a }) {
      const validationId = made.id("first of the L1")
      const before = await wallet.balance(a)
      await wallet.issue((common) => pvm.newDisableL1ValidatorTx({ ...common, validationId, disableAuth: [0] }, wallet.context), {
        from: [a],
      })
      expect((await wallet.platform.getL1Validator(validationId)).balance).toBe(0n)
      expect((await wallet.balance(a)) - before).toBeGreaterThan(4_990_000_000n)
    },
  },
]

const possessionOf = ({ publicKey, proofOfPossession }: Identity) =>
  new pvmSerial.ProofOfPossession(bytesOf(publicKey), bytesOf(proofOfPossession))
