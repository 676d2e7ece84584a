import { pvm } from "@avalabs/avalanchejs"
import { expect } from "vitest"
import { AVAX, bytesOf, DAY } from "../made.js"
import type { Step } from "./step.js"
import type { World } from "./world.js"

/** A validator that stakes once and renews itself, and its configuration. */
export const autoRenewed: readonly Step[] = [
  {
    builder: "newAddAutoRenewedValidatorTx",
    title: "stakes on a node for a period that repeats",
    async run(world) {
      const { wallet, dev, made, a, b } = world
      const node = await made.identity("renewed", dev)
      const txID = await wallet.issue(
        (common) =>
          pvm.newAddAutoRenewedValidatorTx(
            {
              ...common,
              nodeId: node.nodeID,
              publicKey: bytesOf(node.publicKey),
              signature: bytesOf(node.proofOfPossession),
              rewardAddresses: [a.bytes],
              delegatorRewardsOwner: [b.bytes],
              ownerAddresses: [a.bytes],
              weight: 2_000n * AVAX,
              shares: 20_000,
              period: 2n * DAY,
              autoCompoundRewardShares: 300_000,
            },
            wallet.context,
          ),
        { from: [a] },
      )
      made.keep("renewed", txID)
      expect(await renewedOf(world)).toMatchObject({
        txID,
        weight: String(2_000n * AVAX),
        validatorAuthority: { locktime: "0", threshold: "1", addresses: [a.address] },
        delegationRewardOwner: { locktime: "0", threshold: "1", addresses: [b.address] },
        nextPeriod: String(2n * DAY),
        autoCompoundRewardShares: "300000",
      })
    },
  },
  {
    builder: "newSetAutoRenewedValidatorConfigTx",
    title: "lets that validator leave at the end of its cycle",
    async run(world) {
      const { wallet, made, a } = world
      const before = await renewedOf(world)
      await wallet.issue(
        (common) =>
          pvm.newSetAutoRenewedValidatorConfigTx(
            { ...common, validatorTxId: made.id("renewed"), auth: [0], autoCompoundRewardShares: 0, period: 0n },
            wallet.context,
          ),
        { from: [a] },
      )
      expect(await renewedOf(world)).toMatchObject({ ...before, nextPeriod: "0", autoCompoundRewardShares: "0" })
    },
  },
]

/** The validator's record; the library does not declare the members of Helicon. */
async function renewedOf({ wallet, made, dev }: World): Promise<object | undefined> {
  const { nodeID } = await made.identity("renewed", dev)
  const { validators } = await wallet.platform.getCurrentValidators({ nodeIDs: [nodeID] })
  return validators[0]
}
