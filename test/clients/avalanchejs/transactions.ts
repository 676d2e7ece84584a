import { L1Validator, PChainOwner, pvm, pvmSerial } from "@avalabs/avalanchejs"
import { expect } from "vitest"
import { AVAX, bytesOf, clockOf, DAY, type Identity, PRIMARY_NETWORK } from "../made.js"
import { sortedBytes } from "./wallet.js"
import { initialValidationIDOf, MANAGER, registration, signed, validationIDOf, weightOrder } from "./warp.js"
import type { World } from "./world.js"

/** Everything in the library that builds a P-Chain transaction. */
export type Builder = Extract<keyof typeof pvm, `new${string}Tx`>

/** A transaction that the library builds, and how its effect shows through the same library. */
export interface Step {
  readonly builder: Builder
  readonly title: string
  run(world: World): Promise<void>
}

const VM_ID = "srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy"

/** In this order, each on what those before it made. */
export const steps: readonly Step[] = [
  {
    builder: "newBaseTx",
    title: "pays someone, whose balance grows by as much",
    async run({ wallet, a, b }) {
      const before = await wallet.balance(b)
      const outputs = [wallet.output(5n * AVAX, [b])]
      await wallet.issue((common) => pvm.newBaseTx({ ...common, outputs }, wallet.context), { from: [a] })
      expect(await wallet.balance(b)).toBe(before + 5n * AVAX)
    },
  },
  {
    builder: "newBaseTx",
    title: "pays two of three together, who all see the output",
    async run({ wallet, made, a, b, c }) {
      const outputs = [wallet.output(7n * AVAX, [a, b, c], 2)]
      const txID = await wallet.issue((common) => pvm.newBaseTx({ ...common, outputs }, wallet.context), { from: [a] })
      for (const { address } of [a, b, c]) {
        const { utxos } = await wallet.platform.getUTXOs({ addresses: [address] })
        const [shared] = utxos.filter(
          (utxo) => utxo.utxoId.txID.toString() === txID && utxo.getOutputOwners().threshold.value() === 2,
        )
        expect(shared?.getOutputOwners().addrs.map((owner) => owner.toBytes())).toEqual(sortedBytes([a, b, c]))
      }
      made.keep("shared output", txID)
    },
  },
  {
    builder: "newBaseTx",
    title: "spends what two of three own together, signed by both",
    async run({ wallet, made, a, b, c }) {
      const before = await wallet.balance(c)
      const outputs = [wallet.output(6n * AVAX, [c])]
      const isShared = (utxo: { utxoId: { txID: unknown }; getOutputOwners(): { threshold: { value(): number } } }) =>
        String(utxo.utxoId.txID) === made.id("shared output") && utxo.getOutputOwners().threshold.value() === 2
      await wallet.issue(
        ({ utxos, ...common }) => pvm.newBaseTx({ ...common, utxos: utxos.filter(isShared), outputs }, wallet.context),
        { from: [a, b] },
      )
      // Of what they owned together c had a share too, as far as balances go.
      expect(await wallet.balance(c)).toBe(before - 7n * AVAX + 6n * AVAX)
    },
  },
  {
    builder: "newCreateSubnetTx",
    title: "creates a subnet, which its owner controls",
    async run({ wallet, made, a }) {
      for (const name of ["permissioned", "l1", "handed over"]) {
        const subnetID = await wallet.issue(
          (common) => pvm.newCreateSubnetTx({ ...common, subnetOwners: [a.bytes] }, wallet.context),
          { from: [a] },
        )
        const subnet = await wallet.platform.getSubnet({ subnetID })
        expect(subnet).toMatchObject({ isPermissioned: true, controlKeys: [a.address], threshold: "1", locktime: "0" })
        made.keep(name, subnetID)
      }
    },
  },
  {
    builder: "newTransferSubnetOwnershipTx",
    title: "hands a subnet over to two others",
    async run({ wallet, made, a, b, c }) {
      const subnetId = made.id("handed over")
      const subnetOwners = sortedBytes([b, c])
      await wallet.issue(
        (common) =>
          pvm.newTransferSubnetOwnershipTx({ ...common, subnetId, subnetAuth: [0], subnetOwners, threshold: 2 }, wallet.context),
        { from: [a] },
      )
      const { controlKeys, threshold } = await wallet.platform.getSubnet({ subnetID: subnetId })
      expect([controlKeys.sort(), threshold]).toEqual([[b.address, c.address].sort(), "2"])
    },
  },
  {
    builder: "newCreateChainTx",
    title: "creates a chain on a subnet, also where two owners must sign",
    async run({ wallet, made, a, b, c }) {
      const chain = { chainName: "First Chain", fxIds: [], genesisData: { hello: "world" }, vmId: VM_ID }
      for (const [subnet, subnetAuth, owners] of [
        ["l1", [0], [a]],
        ["handed over", [0, 1], [b, c]],
      ] as const) {
        const subnetId = made.id(subnet)
        const chainID = await wallet.issue(
          (common) => pvm.newCreateChainTx({ ...common, ...chain, subnetId, subnetAuth }, wallet.context),
          { from: [a], owners },
        )
        const { blockchains } = await wallet.platform.getBlockchains()
        expect(blockchains).toContainEqual({ id: chainID, name: "First Chain", subnetID: subnetId, vmID: VM_ID })
        expect(await wallet.platform.validatedBy({ blockchainID: chainID })).toEqual({ subnetID: subnetId })
        expect(await wallet.platform.validates({ subnetID: subnetId })).toEqual({ blockchainIDs: [chainID] })
        made.keep(`${subnet} chain`, chainID)
      }
    },
  },
  {
    builder: "newAddPermissionlessValidatorTx",
    title: "stakes on a node, which becomes a validator with its BLS key and fee",
    async run(world) {
      const { wallet, dev, made, a, b } = world
      const node = await made.identity("validator", dev)
      const end = (await clockOf(dev)) + 30n * DAY
      const txID = await wallet.issue(
        (common) =>
          pvm.newAddPermissionlessValidatorTx(
            {
              ...common,
              nodeId: node.nodeID,
              subnetId: PRIMARY_NETWORK,
              start: 0n,
              end,
              weight: 2_000n * AVAX,
              shares: 20 * 10_000,
              publicKey: bytesOf(node.publicKey),
              signature: bytesOf(node.proofOfPossession),
              rewardAddresses: [a.bytes],
              delegatorRewardsOwner: [b.bytes],
            },
            wallet.context,
          ),
        { from: [a] },
      )
      made.keep("validation", txID)
      const { validators } = await wallet.platform.getCurrentValidators({ nodeIDs: [node.nodeID] })
      expect(validators).toMatchObject([
        {
          txID,
          nodeID: node.nodeID,
          weight: String(2_000n * AVAX),
          stakeAmount: String(2_000n * AVAX),
          endTime: String(end),
          delegationFee: "20.0000",
          uptime: "100.0000",
          connected: true,
          validationRewardOwner: { locktime: "0", threshold: "1", addresses: [a.address] },
          delegationRewardOwner: { locktime: "0", threshold: "1", addresses: [b.address] },
          signer: { publicKey: node.publicKey, proofOfPosession: node.proofOfPossession },
          delegators: [],
        },
      ])
      const { staked, stakedOutputs } = await wallet.platform.getStake({ addresses: [a.address] })
      expect([staked, stakedOutputs.map((output) => output.amount())]).toEqual([2_000n * AVAX, [2_000n * AVAX]])
    },
  },
  {
    builder: "newAddPermissionlessDelegatorTx",
    title: "delegates to that validator, which lists the delegation",
    async run(world) {
      const { wallet, dev, made, b } = world
      const node = await made.identity("validator", dev)
      const end = (await clockOf(dev)) + 20n * DAY
      const txID = await wallet.issue(
        (common) =>
          pvm.newAddPermissionlessDelegatorTx(
            {
              ...common,
              nodeId: node.nodeID,
              subnetId: PRIMARY_NETWORK,
              start: 0n,
              end,
              weight: 25n * AVAX,
              rewardAddresses: [b.bytes],
            },
            wallet.context,
          ),
        { from: [b] },
      )
      made.keep("delegation", txID)
      const { validators } = await wallet.platform.getCurrentValidators({ nodeIDs: [node.nodeID] })
      expect(validators[0]?.delegators).toMatchObject([
        {
          txID,
          nodeID: node.nodeID,
          stakeAmount: String(25n * AVAX),
          endTime: String(end),
          rewardOwner: { addresses: [b.address] },
        },
      ])
    },
  },
  {
    builder: "newAddSubnetValidatorTx",
    title: "adds that validator to a permissioned subnet",
    async run(world) {
      const { wallet, dev, made, a } = world
      const { nodeID } = await made.identity("validator", dev)
      const subnetId = made.id("permissioned")
      const end = (await clockOf(dev)) + 10n * DAY
      const txID = await wallet.issue(
        (common) =>
          pvm.newAddSubnetValidatorTx(
            { ...common, nodeId: nodeID, subnetId, subnetAuth: [0], start: 0n, end, weight: 42n },
            wallet.context,
          ),
        { from: [a] },
      )
      const { validators } = await wallet.platform.getCurrentValidators({ subnetID: subnetId })
      expect(validators).toMatchObject([{ txID, nodeID, weight: "42", endTime: String(end) }])
      expect(await wallet.platform.sampleValidators({ size: 1, subnetID: subnetId })).toEqual({ validators: [nodeID] })
    },
  },
  {
    builder: "newRemoveSubnetValidatorTx",
    title: "takes it out again",
    async run({ wallet, dev, made, a }) {
      const { nodeID } = await made.identity("validator", dev)
      const subnetId = made.id("permissioned")
      await wallet.issue(
        (common) => pvm.newRemoveSubnetValidatorTx({ ...common, nodeId: nodeID, subnetId, subnetAuth: [0] }, wallet.context),
        { from: [a] },
      )
      expect(await wallet.platform.getCurrentValidators({ subnetID: subnetId })).toEqual({ validators: [] })
    },
  },
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
    title: "changes its weight by another",
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
    title: "disables a validator, whose balance goes back to its owner",
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
  {
    builder: "newExportTx",
    title: "exports to the X- and the C-Chain",
    async run({ wallet, a, b }) {
      const { xBlockchainID, cBlockchainID } = wallet.context
      for (const destinationChainId of [xBlockchainID, cBlockchainID]) {
        const before = await wallet.balance(a)
        const outputs = [wallet.output(3n * AVAX, [b])]
        const txID = await wallet.issue((common) => pvm.newExportTx({ ...common, destinationChainId, outputs }, wallet.context), {
          from: [a],
        })
        const { unsignedTx } = await wallet.platform.getTx({ txID })
        expect((unsignedTx as pvmSerial.ExportTx).destination.toString()).toBe(destinationChainId)
        expect(before - 3n * AVAX - (await wallet.balance(a))).toBeLessThan(100_000n)
      }
    },
  },
  {
    builder: "newImportTx",
    title: "imports what the X- and the C-Chain have exported",
    async run({ wallet, dev, a, b }) {
      for (const [alias, sourceChainId] of [
        ["X", wallet.context.xBlockchainID],
        ["C", wallet.context.cBlockchainID],
      ] as const) {
        await dev("dev.creditAtomic", { sourceChain: alias, address: b.address, amount: String(11n * AVAX) })
        const waiting = { addresses: [b.address], sourceChain: alias }
        const { utxos } = await wallet.platform.getUTXOs(waiting)
        const before = await wallet.balance(a)
        await wallet.issue(
          ({ feeState }) =>
            pvm.newImportTx(
              { feeState, fromAddressesBytes: [b.bytes], toAddressesBytes: [a.bytes], sourceChainId, utxos },
              wallet.context,
            ),
          { from: [b] },
        )
        expect(before + 11n * AVAX - (await wallet.balance(a))).toBeLessThan(100_000n)
        expect((await wallet.platform.getUTXOs(waiting)).utxos).toEqual([])
      }
    },
  },
  {
    builder: "newAddAutoRenewedValidatorTx",
    title: "is refused as by AvalancheGo 1.14.2, which knows no such type either",
    async run(world) {
      const { wallet, dev, made, a } = world
      const node = await made.identity("renewed", dev)
      const issued = wallet.issue(
        (common) =>
          pvm.newAddAutoRenewedValidatorTx(
            {
              ...common,
              nodeId: node.nodeID,
              publicKey: bytesOf(node.publicKey),
              signature: bytesOf(node.proofOfPossession),
              rewardAddresses: [a.bytes],
              delegatorRewardsOwner: [a.bytes],
              ownerAddresses: [a.bytes],
              weight: 2_000n * AVAX,
              shares: 20_000,
              period: 30n * DAY,
              autoCompoundRewardShares: 0,
            },
            wallet.context,
          ),
        { from: [a] },
      )
      await expect(issued).rejects.toThrow("no type has this type ID (path: unsignedTx, offset: 2, typeID: 40)")
    },
  },
  {
    builder: "newSetAutoRenewedValidatorConfigTx",
    title: "is refused likewise",
    async run({ wallet, made, a }) {
      const issued = wallet.issue(
        (common) =>
          pvm.newSetAutoRenewedValidatorConfigTx(
            { ...common, validatorTxId: made.id("validation"), auth: [0], autoCompoundRewardShares: 0, period: 30n * DAY },
            wallet.context,
          ),
        { from: [a] },
      )
      await expect(issued).rejects.toThrow("no type has this type ID (path: unsignedTx, offset: 2, typeID: 41)")
    },
  },
]

const possessionOf = ({ publicKey, proofOfPossession }: Identity) =>
  new pvmSerial.ProofOfPossession(bytesOf(publicKey), bytesOf(proofOfPossession))
