import type { info } from "@avalabs/avalanchejs"
import { expect } from "vitest"
import { PRIMARY_NETWORK } from "../made.js"
import type { LibraryCall } from "./calls.js"

/** The first of the five local validators. */
export const NODE_ID = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg"

const node = (method: keyof info.InfoApi, title: string, run: LibraryCall["run"]): LibraryCall => ({
  api: "InfoApi",
  method,
  title,
  run,
})

/** The calls of `InfoApi`. */
export const infoCalls: readonly LibraryCall[] = [
  node("getNodeVersion", "which program this is, and the protocol it speaks", async ({ wallet, either }) => {
    expect(await wallet.info.getNodeVersion()).toMatchObject({
      version: either(expect.stringMatching(/^serac\/\d/), "avalanchego/1.15.0"),
      databaseVersion: "v1.4.5",
      rpcProtocolVersion: "46",
    })
  }),
  node("getNodeId", "the first of the five local validators, with its BLS key", async ({ wallet }) => {
    expect(await wallet.info.getNodeId()).toEqual({
      nodeID: NODE_ID,
      nodePOP: {
        publicKey: expect.stringMatching(/^0x[0-9a-f]{96}$/),
        proofOfPossession: expect.stringMatching(/^0x[0-9a-f]{192}$/),
      },
    })
  }),
  node("getNodeIp", "where it would be reached by others", async ({ wallet }) => {
    expect(await wallet.info.getNodeIp()).toEqual({ ip: expect.stringMatching(/^[\d.]+:\d+$/) })
  }),
  node("getNetworkId", "12345", async ({ wallet }) => {
    expect(await wallet.info.getNetworkId()).toEqual({ networkID: "12345" })
  }),
  node("getNetworkName", "local", async ({ wallet }) => {
    expect(await wallet.info.getNetworkName()).toEqual({ networkName: "local" })
  }),
  node("getBlockchainId", "a chain's ID by its alias", async ({ wallet }) => {
    expect(await wallet.info.getBlockchainId("P")).toEqual({ blockchainID: PRIMARY_NETWORK })
  }),
  node("peers", "nobody", async ({ wallet }) => {
    expect(await wallet.info.peers()).toEqual({ numPeers: "0", peers: [] })
    expect(await wallet.info.peers([NODE_ID])).toEqual({ numPeers: "0", peers: [] })
  }),
  node("isBootstrapped", "what info.peers says, since that is what the library calls", async ({ wallet }) => {
    expect(await wallet.info.isBootstrapped("P")).toEqual({ numPeers: "0", peers: [] })
  }),
  node("uptime", "always online", async ({ wallet }) => {
    expect(await wallet.info.uptime()).toEqual({ rewardingStakePercentage: "100.0000", weightedAveragePercentage: "100.0000" })
  }),
  node("getVMs", "the platform VM", async ({ wallet }) => {
    expect(await wallet.info.getVMs()).toMatchObject({ vms: { rWhpuQPF1kb72esV2momhMuTYGkEb1oL29pt2EBXWmSy4kxnT: ["platform"] } })
  }),
  node("getUpgradesInfo", "when upgrades take force: all up to Helicon long ago", async ({ wallet }) => {
    const { etnaTime, graniteTime, heliconTime } = await wallet.info.getUpgradesInfo()
    const since = "2020-12-05T05:00:00Z"
    expect([etnaTime, graniteTime, heliconTime]).toEqual([since, since, since])
  }),
]
