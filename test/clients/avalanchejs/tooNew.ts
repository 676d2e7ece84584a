import { pvm } from "@avalabs/avalanchejs"
import { expect } from "vitest"
import { AVAX, bytesOf, DAY } from "../made.js"
import type { Step } from "./step.js"
import type { World } from "./world.js"

/** What the library is ahead of AvalancheGo 1.14.2 with. */
export const tooNew: readonly Step[] = [
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
      await expect(issued).rejects.toThrow(refusalOf(world, 40))
    },
  },
  {
    builder: "newSetAutoRenewedValidatorConfigTx",
    title: "is refused likewise",
    async run(world) {
      const { wallet, made, a } = world
      const issued = wallet.issue(
        (common) =>
          pvm.newSetAutoRenewedValidatorConfigTx(
            { ...common, validatorTxId: made.id("validation"), auth: [0], autoCompoundRewardShares: 0, period: 30n * DAY },
            wallet.context,
          ),
        { from: [a] },
      )
      await expect(issued).rejects.toThrow(refusalOf(world, 41))
    },
  },
]

/** Neither of us can read the type. */
const refusalOf = ({ either }: World, typeID: number): string =>
  either(
    `no type has this type ID (path: unsignedTx, offset: 2, typeID: ${typeID})`,
    `couldn't parse tx: couldn't parse tx: couldn't unmarshal interface: unknown type ID ${typeID}`,
  )
