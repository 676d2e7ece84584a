import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { ewoq } from "../core/genesis/testKeys.js"
import { upTo } from "../core/networks/upgrades.js"
import { nodeIDText } from "../core/types/id.js"
import { parseConfig } from "../platform/genesis.js"
import { commandLineOf } from "./localNetwork.js"
import { genesisFileOf, type NetworkChoice, openNetworkDirectory, upgradesOfDirectory } from "./networkDirectory.js"

const NOW = 1_794_710_000n

function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), "serac-network-"))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const open = (dir: string, choice: Partial<NetworkChoice> = {}) => openNetworkDirectory({ dir, now: NOW, ...choice })

test("a new network has a genesis with one validator per node, whose stakes are alike, and is found again", () => {
  const dir = scratch()
  const network = open(dir, { programs: ["serac", "serac", "avalanchego"], ruleFlags: { "min-stake-duration": "30s" } })
  expect(network.members.map(({ name, program }) => [name, program])).toEqual([
    ["node1", "serac"],
    ["node2", "serac"],
    ["node3", "avalanchego"],
  ])
  const config = parseConfig(readFileSync(genesisFileOf(dir), "utf8"))
  expect(config.networkID).toBe(network.networkID)
  expect(config.initialStakers.map(({ nodeID, rewardAddress }) => [nodeIDText(nodeID), rewardAddress])).toEqual(
    network.members.map(({ nodeID }) => [nodeID, ewoq.address]),
  )
  expect(config.initialStakers.every(({ signer }) => signer?.proofOfPossession.length === 96)).toBe(true)
  expect(open(dir)).toEqual(network)
})

test("a network has Helicon's rules unless others are asked for", () => {
  const [helicon, granite] = [scratch(), scratch()]
  open(helicon, { programs: ["serac"] })
  open(granite, { programs: ["serac"], upgrades: upTo("granite") })
  expect(upgradesOfDirectory(helicon)).toEqual(upTo("helicon"))
  expect(upgradesOfDirectory(granite)).toEqual(upTo("granite"))
})

test("a directory with another network is refused", () => {
  const dir = scratch()
  open(dir, { programs: ["serac"] })
  expect(() => open(dir, { programs: ["serac", "serac"] })).toThrow(expect.objectContaining({ code: "localnet.other_nodes" }))
  expect(() => open(dir, { upgrades: upTo("etna") })).toThrow(expect.objectContaining({ code: "localnet.other_upgrades" }))
  expect(open(dir, { programs: ["serac"], upgrades: upTo("helicon") }).members).toHaveLength(1)
})

test("a network that was killed while it was made is made by the next start", () => {
  const dir = scratch()
  open(dir, { programs: ["serac", "serac"] })
  // Its description is written last.
  rmSync(join(dir, "network.json"))
  const network = open(dir, { programs: ["serac", "serac"] })
  const config = parseConfig(readFileSync(genesisFileOf(dir), "utf8"))
  expect([config.networkID, config.initialStakers.map(({ nodeID }) => nodeIDText(nodeID))]).toEqual([
    network.networkID,
    network.members.map(({ nodeID }) => nodeID),
  ])
})

test("the refusal names files that are missing, cut or exchanged, and no new keys replace them", () => {
  const whole = scratch()
  open(whole, { programs: ["serac", "serac"] })
  const damages: Record<string, (dir: string) => void> = {
    "network.json": (dir) => writeFileSync(join(dir, "network.json"), '{"networkID": 1'),
    programs: (dir) => writeFileSync(join(dir, "network.json"), '{"networkID": 1}'),
    "genesis.json": (dir) => rmSync(genesisFileOf(dir)),
    staking: (dir) => rmSync(join(dir, "node2", "staking"), { recursive: true }),
  }
  for (const [what, damage] of Object.entries(damages)) {
    const dir = scratch()
    cpSync(whole, dir, { recursive: true })
    damage(dir)
    expect(() => open(dir), what).toThrow(expect.objectContaining({ code: "localnet.damaged" }))
  }
  const exchanged = scratch()
  cpSync(whole, exchanged, { recursive: true })
  const other = scratch()
  open(other, { programs: ["serac"] })
  rmSync(join(exchanged, "node1", "staking"), { recursive: true })
  cpSync(join(other, "node1", "staking"), join(exchanged, "node1", "staking"), { recursive: true })
  expect(() => open(exchanged)).toThrow(expect.objectContaining({ code: "localnet.other_keys" }))
})

test("a directory that cannot be made is refused", () => {
  const file = join(scratch(), "file")
  writeFileSync(file, "")
  expect(() => open(file)).toThrow(
    expect.objectContaining({ code: "localnet.bad_directory", data: expect.objectContaining({ dir: file }) }),
  )
})

test("Serac's nodes start from all nodes, AvalancheGo's from each other", () => {
  const network = open(scratch(), { programs: ["serac", "avalanchego", "avalanchego"] })
  const ports = [1, 3, 5].map((http) => ({ http, staking: http + 1 }))
  const programs = { serac: ["node", "serac"], avalanchego: "./avalanchego", dialect: "avalanchego" as const }
  const beaconsOf = (i: number) => {
    const command = commandLineOf(network, network.members[i] as (typeof network.members)[0], ports, programs)
    return [command[0], command.find((word) => word.startsWith("--bootstrap-ips"))]
  }
  expect([0, 1, 2].map(beaconsOf)).toEqual([
    ["node", "--bootstrap-ips=127.0.0.1:2,127.0.0.1:4,127.0.0.1:6"],
    ["./avalanchego", "--bootstrap-ips=127.0.0.1:6"],
    ["./avalanchego", "--bootstrap-ips=127.0.0.1:4"],
  ])
})
