import { expect, test } from "vitest"
import { readRecording, recordingText } from "../../../test/recordings/recordings.js"
import { genesisFor } from "../../platform/genesis.js"
import { type Json, printJson } from "../lib/json.js"
import { fromHexText } from "../types/hexText.js"
import { EMPTY_ID, type ID, idOf, idText } from "../types/id.js"
import { buildGenesis } from "./build.js"
import { configToJson } from "./configJson.js"
import { localStartTimeFor } from "./forNetwork.js"
import type { Genesis } from "./genesis.js"
import { localConfig } from "./local.js"

const node = { now: 1_794_700_800n, maxStakeDuration: 31_536_000n }
const refusal = (code: string) => expect.objectContaining({ code })
const fileFor = (networkID: number, changes: { readonly [key: string]: Json } = {}) =>
  printJson({ ...configToJson(localConfig(networkID)), ...changes })

const membersOf = (of: Genesis) => ({ ...of, bytes: of.bytes(), body: of.body() })

test("a network without genesis file starts as the local one does today", () => {
  expect(membersOf(genesisFor({ ...node, networkID: 12345 }))).toEqual(
    membersOf(buildGenesis(localConfig(12345, 1_791_000_000n))),
  )
  expect(membersOf(genesisFor({ ...node, networkID: 1337 }))).toEqual(membersOf(buildGenesis(localConfig(1337, 1_791_000_000n))))
})

test("the built-in genesis starts at the given time", () => {
  const genesis = genesisFor({ ...node, networkID: 12345, startTime: 1_721_016_000n })
  expect(idText(genesis.id)).toBe("2nRRoR76HuEk1JjDpRdN8FKvZFvUXWxY3b9C5rZRPFjcgEh7S7")
})

test("a custom network starts from its file, at the file's time", () => {
  const genesis = genesisFor({ ...node, networkID: 9999, configText: fileFor(9999, { message: "ours" }) })
  expect(membersOf(genesis)).toEqual(membersOf(buildGenesis({ ...localConfig(9999), message: "ours" })))
})

test("a custom network's file is checked", () => {
  expect(() => genesisFor({ ...node, networkID: 9999, configText: "{" })).toThrow(refusal("genesis.malformed"))
  expect(() => genesisFor({ ...node, networkID: 9999, configText: fileFor(9998) })).toThrow(refusal("genesis.wrong_network"))
  const configText = fileFor(9999)
  expect(() => genesisFor({ ...node, now: 1_721_015_999n, networkID: 9999, configText })).toThrow(refusal("genesis.future_start"))
  expect(() => genesisFor({ ...node, maxStakeDuration: 31_535_999n, networkID: 9999, configText })).toThrow(
    refusal("genesis.stake_duration_too_long"),
  )
})

test("the local network takes no file", () => {
  expect(() => genesisFor({ ...node, networkID: 12345, configText: fileFor(12345) })).toThrow(
    expect.objectContaining({
      code: "genesis.file_not_allowed",
      avalanchegoMessage: "overrides standard network genesis config: local",
    }),
  )
})

test("a start time beside a file is refused: the file has its own", () => {
  expect(() => genesisFor({ ...node, networkID: 9999, configText: fileFor(9999), startTime: 1n })).toThrow(
    refusal("genesis.start_time_with_file"),
  )
})

test.each([1, 5])("network %d needs its published genesis file", (networkID) => {
  expect(() => genesisFor({ ...node, networkID })).toThrow(refusal("genesis.file_needed"))
  expect(() => genesisFor({ ...node, networkID, configText: fileFor(9999) })).toThrow(refusal("genesis.wrong_network"))
  expect(() => genesisFor({ ...node, networkID, configText: fileFor(networkID) })).toThrow(refusal("genesis.not_published"))
})

const published = [
  [1, "data/genesis_mainnet.json"],
  [5, "data/genesis_fuji.json"],
] as const

test.each(published)("network %d starts from %s", (networkID, name) => {
  const configText = recordingText(name)
  expect(genesisFor({ ...node, networkID, configText }).networkID).toBe(networkID)
  const changed = configText.replace(/"startTime": \d+/, '"startTime": 1599696001')
  expect(() => genesisFor({ ...node, networkID, configText: changed })).toThrow(refusal("genesis.not_published"))
})

test("the first block of a local chain determines when its network started", () => {
  const parentOf = (networkID: number, startTime: bigint) => buildGenesis(localConfig(networkID, startTime)).block.id
  expect(localStartTimeFor(parentOf(12345, 1_721_016_000n))).toBe(1_721_016_000n)
  expect(localStartTimeFor("e6bf9e10d8adfe358b1661e0bfb6a2788e1f555c188988740ed2ffea3be84959" as ID)).toBe(1_791_000_000n)
  expect(localStartTimeFor(parentOf(1337, 4_100_472_000n), 1337)).toBe(4_100_472_000n)
  expect(localStartTimeFor(parentOf(12345, 1_721_016_001n))).toBeUndefined()
  expect(localStartTimeFor(EMPTY_ID)).toBeUndefined()
})

test.each(["golden/local-v1.13.0", "golden/local-v1.14.2"])("the chain of %s starts from a local genesis", (name) => {
  const [first] = readRecording<{ blocks: string[] }>(`${name}/record.json`).blocks.map((text) => fromHexText(text))
  const startTime = localStartTimeFor(idOf(first!))
  expect(startTime).toBe(1_791_000_000n)
  expect(genesisFor({ ...node, networkID: 12345, startTime }).block.id).toBe(idOf(first!))
})

test.each(["golden/history-v1.14.2"])("the chain of %s starts from its genesis file", (name) => {
  const [first] = readRecording<{ blocks: string[] }>(`${name}/record.json`).blocks.map((text) => fromHexText(text))
  const configText = recordingText(`${name}/genesis.json`)
  expect(genesisFor({ ...node, now: 1_800_000_000n, networkID: 424242, configText }).block.id).toBe(idOf(first!))
})
