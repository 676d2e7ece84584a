import { pvm } from "@avalabs/avalanchejs"
import { expect } from "vitest"
import { AVAX, bytesOf, clockOf, DAY, PRIMARY_NETWORK } from "../made.js"
import type { Step } from "./step.js"

/** Validators and delegators of the primary network, and of a permissioned subnet. */
export const staking: readonly Step[] = [
  {
    builder: "newAddPermissionlessValidatorTx",
    title: "stakes on a node, which becomes a validator with its BLS key and fee",
    async run(world) {
      const { wallet, dev, made, a, b, either } = world
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
          ...either({ stakeAmount: String(2_000n * AVAX) }, {}),
          endTime: String(end),
          delegationFee: "20.0000",
          uptime: "100.0000",
          connected: true,
          validationRewardOwner: { locktime: "0", threshold: "1", addresses: [a.address] },
          delegationRewardOwner: { locktime: "0", threshold: "1", addresses: [b.address] },
          signer: {
            publicKey: node.publicKey,
            ...either({ proofOfPosession: node.proofOfPossession }, { proofOfPossession: node.proofOfPossession }),
          },
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
      const { wallet, dev, made, b, either } = world
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
          weight: String(25n * AVAX),
          ...either({ stakeAmount: String(25n * AVAX) }, {}),
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
    title: "removes it from the subnet",
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
]
