import { pvm } from "@avalabs/avalanchejs"
import { expect } from "vitest"
import type { Step } from "./step.js"
import { sortedBytes } from "./wallet.js"

const VM_ID = "srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy"

/** Subnets and the chains on them. */
export const subnets: readonly Step[] = [
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
    title: "transfers a subnet to two other owners",
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
    title: "creates a chain on a subnet, also if two owners must sign",
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
]
