import { expect, test } from "vitest"
import { refusal } from "../../../test/refusal.js"
import { seededRandom } from "../../../test/simulator/random.js"
import { FUJI_ID, LOCAL_ID, MAINNET_ID } from "../../core/networks/names.js"
import { ipPortText } from "../../core/p2p/ipPort.js"
import { nodeIDText } from "../../core/types/id.js"
import { type JoinSettings, joinOptionsOf } from "./joinOptions.js"
import { checkNetworkSettings, defaultNetworkSettings, type NetworkSettings } from "./networkSettings.js"

const settings: JoinSettings = { host: "", port: 9651, dialsPrivate: false, network: defaultNetworkSettings }

function bootstrappersOf(networkID: number, changes: Partial<JoinSettings> = {}): string[] | undefined {
  const options = joinOptionsOf({ ...settings, ...changes }, networkID, seededRandom(7))
  return options?.bootstrappers.map(({ nodeID, address }) => `${nodeIDText(nodeID)} ${ipPortText(address)}`)
}

const named = { bootstrapIPs: ["127.0.0.1:1"], bootstrapIDs: ["NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg"] }

test("Mainnet and Fuji are joined with five different ones of their own bootstrappers", () => {
  for (const networkID of [MAINNET_ID, FUJI_ID]) expect(new Set(bootstrappersOf(networkID)).size).toBe(5)
})

test("bootstrappers that are named are the only ones", () => {
  const expected = ["NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg 127.0.0.1:1"]
  expect([LOCAL_ID, FUJI_ID].map((networkID) => bootstrappersOf(networkID, named))).toEqual([expected, expected])
})

test("without bootstrappers there is a private chain, but not of Mainnet or Fuji", () => {
  expect(bootstrappersOf(LOCAL_ID)).toBeUndefined()
  expect(() => bootstrappersOf(FUJI_ID, { bootstrapIPs: [], bootstrapIDs: [] })).toThrow(
    expect.objectContaining({ code: "node.no_bootstrappers" }),
  )
})

test("a text that is no node ID is refused, and named", () => {
  expect(() => bootstrappersOf(FUJI_ID, { ...named, bootstrapIDs: ["NodeID-abc"] })).toThrow(
    expect.objectContaining({ code: "node.bad_bootstrap_id", data: { got: "NodeID-abc", reason: expect.any(String) } }),
  )
})

test("a text that is no address is refused, and named", () => {
  expect(() => bootstrappersOf(FUJI_ID, { ...named, bootstrapIPs: ["127.0.0.1"] })).toThrow(
    expect.objectContaining({ code: "node.bad_bootstrap_address", data: { got: "127.0.0.1" } }),
  )
})

test("addresses without node IDs are refused", () => {
  expect(() => bootstrappersOf(FUJI_ID, { bootstrapIPs: named.bootstrapIPs })).toThrow(
    expect.objectContaining({ code: "node.bootstrap_counts", data: { addresses: 1, nodeIDs: 0 } }),
  )
})

test("numbers of the peer protocol that contradict each other are refused, as AvalancheGo refuses them", () => {
  const { peers, timeouts } = defaultNetworkSettings
  const refused = (changes: Partial<NetworkSettings>) =>
    refusal(() => checkNetworkSettings({ ...defaultNetworkSettings, ...changes })).data.flag
  expect([
    refused({ peers: { ...peers, readTimeoutMs: peers.pingIntervalMs } }),
    refused({ peers: { ...peers, maxRedialMs: 999 } }),
    refused({ timeouts: { ...timeouts, initialMs: 10_001 } }),
    refused({ timeouts: { ...timeouts, initialMs: 1_999 } }),
    refused({ timeouts: { ...timeouts, halfLifeMs: 0 } }),
    refused({ acps: { supported: [247], objected: [247] } }),
    refused({ acps: { supported: [], objected: [236] } }),
  ]).toEqual([
    "--network-ping-timeout",
    "--network-max-reconnect-delay",
    "--network-initial-timeout",
    "--network-initial-timeout",
    "--network-timeout-halflife",
    "--acp-object",
    "--acp-object",
  ])
})
