import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, onTestFinished, test } from "vitest"
import { utf8 } from "../core/lib/bytes.js"
import { silentLog } from "../core/lib/log.js"
import { type ID, idOfName, idText } from "../core/types/id.js"
import { MemoryDatabase } from "../vmhost/database/memoryDatabase.js"
import { RevertibleDatabase } from "../vmhost/database/revertibleDatabase.js"
import { SUBNET_EVM } from "../vmhost/plugin/pluginFiles.js"
import { developerConfig, developerGenesis, developerUpgrades, effectiveConfig, evmGenesis } from "./developerChain.js"
import { aliasPorts, type HostedParts, logPluginLine } from "./l1Parts.js"
import { newName } from "./l1Preparation.js"
import { type L1Record, readRecords, removeL1Data, removeLeftovers, reportPChainOnly, writeRecord } from "./l1Record.js"
import { L1Moments } from "./l1Set.js"

const dir = mkdtempSync(join(tmpdir(), "serac-l1-records-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const chainID = "22".repeat(32) as ID
const genesisChains = { xChainID: "aa".repeat(32) as ID, cChainID: "cc".repeat(32) as ID }
const fail = (refusal: Error) => {
  throw refusal
}
const json = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString("utf8"))

describe("the developer's chain of subnet-evm", () => {
  test("funds the given addresses, and its genesis shows its chain ID", () => {
    const genesis = developerGenesis(99_001n, ["0xAA00000000000000000000000000000000000001"])
    expect(evmGenesis(genesis)).toEqual({ chainID: 99_001n, funded: new Set(["0xaa00000000000000000000000000000000000001"]) })
    expect(json(genesis).config).toMatchObject({ feeConfig: { maxBlockGasCost: 0, blockGasCostStep: 0 }, initialMinDelayMS: 1 })
    expect(json(genesis).config.feeConfig.gasLimit).toBe(Number(json(genesis).gasLimit))
  })

  test("runs before Granite on plugins that cannot shorten the time between blocks", () => {
    expect(json(developerUpgrades(44))).toEqual({
      networkUpgradeOverrides: { graniteTimestamp: 253_399_622_400, heliconTimestamp: 253_399_622_400 },
    })
    expect(json(developerUpgrades(45))).toEqual(json(developerUpgrades(44)))
    expect(developerUpgrades(46)).toEqual(new Uint8Array(0))
  })

  test("keeps its configuration where a given one says nothing else", () => {
    const given = developerConfig(utf8('{"log-level":"debug","a":18446744073709551615}'))
    const { "log-level": level, a: _, ...others } = json(given)
    expect(level).toBe("debug")
    expect(Buffer.from(given).toString()).toContain('"a":18446744073709551615')
    const { "log-level": __, ...defaults } = json(developerConfig())
    expect(others).toEqual(defaults)
    for (const text of ["[1]", "null", "{"]) expect(developerConfig(utf8(text))).toEqual(utf8(text))
  })

  test("keeps its data in the host's database, unless its configuration says otherwise", () => {
    expect(json(effectiveConfig(SUBNET_EVM, developerConfig()))).toMatchObject({
      "use-standalone-database": false,
      "warp-api-enabled": true,
    })
    expect(json(effectiveConfig(SUBNET_EVM, new Uint8Array(0)))).toEqual({ "use-standalone-database": false })
    expect(json(effectiveConfig(SUBNET_EVM, utf8('{"use-standalone-database":true}')))).toEqual({
      "use-standalone-database": true,
    })
    // 64-bit integers stay as they are.
    expect(effectiveConfig(SUBNET_EVM, utf8('{"a":18446744073709551615}'))).toEqual(
      utf8('{"use-standalone-database":false,"a":18446744073709551615}'),
    )
    expect(effectiveConfig(SUBNET_EVM, utf8("{"))).toEqual(utf8("{"))
    expect(effectiveConfig(idOfName("xsvm"), utf8("x"))).toEqual(utf8("x"))
  })

  test("another genesis has no chain ID", () => {
    expect(evmGenesis(utf8('{"config":{"chainId":9007199254740993}}'))?.chainID).toBe(9_007_199_254_740_993n)
    for (const text of ["", "x", "{}", "[]"]) expect(evmGenesis(utf8(text))).toBeUndefined()
  })
})

describe("the name of an L1", () => {
  test.each(["mine", "M1", "a".repeat(32)])("%s is taken as it is", (name) => {
    expect(newName(name, [], genesisChains)).toBe(name)
  })
  test.each(["", "1a", "a-b", "a b", "a/b", "ä", "a".repeat(33), "list", "Remove", "health"])("%j is refused", (name) => {
    expect(() => newName(name, [], genesisChains)).toThrow(expect.objectContaining({ code: "vm.bad_name" }))
  })
  test.each(["p", "X", "c", "platform", "EVM", "Mine"])("%s is taken already", (name) => {
    expect(() => newName(name, ["mine"], genesisChains)).toThrow(expect.objectContaining({ code: "vm.name_taken" }))
  })
  test("is the first free one by default", () => {
    expect(newName(undefined, ["chain1", "other", "chain3"], genesisChains)).toBe("chain2")
  })
})

test("VMs find chains by name and ID, and names by chain", () => {
  const { chainOf, aliasesOf } = aliasPorts(() => [{ name: "mine", chainID }], genesisChains)
  expect(["mine", idText(chainID), "X", "nothing"].map(chainOf)).toEqual([chainID, chainID, genesisChains.xChainID, undefined])
  expect(aliasesOf(chainID)).toEqual(["mine", idText(chainID)])
  expect(aliasesOf(genesisChains.cChainID)[0]).toBe("C")
  expect(aliasesOf("dd".repeat(32) as ID)).toEqual([])
})

test("records are read as they were written; a folder without one is removed", () => {
  const own = mkdtempSync(join(dir, "records-"))
  const record: L1Record = {
    ...{ name: "mine", subnetID: "11".repeat(32) as ID, chainID, vmID: SUBNET_EVM },
    ...{ config: utf8("{}"), upgrades: new Uint8Array(0), isStopped: false },
  }
  writeRecord(own, record)
  mkdirSync(join(own, "half"))
  const stored = readRecords(own, fail).map((each) => ({ ...each, config: utf8("{}"), upgrades: Uint8Array.from(each.upgrades) }))
  expect(stored).toEqual([record])
  expect(readdirSync(own).sort()).toEqual([idText(chainID), "half"].sort())
  removeLeftovers(own)
  expect(readdirSync(own)).toEqual([idText(chainID)])
  writeRecord(own, { ...record, isStopped: true })
  expect(readRecords(own, fail)[0]?.isStopped).toBe(true)
  removeL1Data(own, chainID)
  expect(readRecords(own, fail)).toEqual([])
  expect(readRecords(join(own, "missing"), fail)).toEqual([])
  removeLeftovers(join(own, "missing"))
})

test.each(["", "null", "{}", '{"name":"a","subnetID":"x"}', "[1]", "{"])(
  "a damaged record %j is reported with its file, and left out",
  (text) => {
    const folder = mkdtempSync(join(dir, "damaged-"))
    const ids = { subnetID: "11".repeat(32) as ID, chainID, vmID: SUBNET_EVM }
    const record: L1Record = { name: "whole", ...ids, config: utf8(""), upgrades: utf8(""), isStopped: false }
    writeRecord(folder, record)
    mkdirSync(join(folder, "bad"))
    const file = join(folder, "bad", "l1.json")
    writeFileSync(file, text)
    const refusals: unknown[] = []
    expect(readRecords(folder, (refusal) => refusals.push(refusal)).map(({ name }) => name)).toEqual(["whole"])
    expect(refusals).toMatchObject([{ code: "vm.damaged_record", data: { file } }])
  },
)

test("a server or a fork of a data directory with L1s says that it has the P-Chain only", () => {
  const said: unknown[] = []
  const log = { ...silentLog, info: (event: string, data?: object) => said.push([event, data]) }
  const dataDir = mkdtempSync(join(tmpdir(), "serac-l1-data-"))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  reportPChainOnly(dataDir, log)
  mkdirSync(join(dataDir, "l1", "one"), { recursive: true })
  reportPChainOnly(dataDir, log)
  expect(said).toEqual([["only the P-Chain is there, without the L1s of the data directory", { dataDir, l1s: 1 }]])
})

test("warnings and errors of a plugin are the node's own, and its other lines are details", () => {
  const lines: string[] = []
  const say = (level: string) => (event: string, data?: object) => lines.push(`${level} ${event} ${JSON.stringify(data)}`)
  const log = { ...silentLog, error: say("error"), warn: say("warn"), info: say("info"), debug: say("debug") }
  logPluginLine(log, "mine", "[11-18|01:11:48.135] INFO <ID Chain> /go/core/x.go:826 Rebuilding   snapshot")
  logPluginLine(log, "mine", "[11-18|01:11:48.135] WARN <ID Chain> /go/core/x.go:826 Failed to load a=1")
  logPluginLine(log, "mine", "[11-18|01:11:48.135] ERROR failed")
  logPluginLine(log, "mine", "free text")
  expect(lines).toEqual([
    'debug plugin {"chain":"mine","text":"Rebuilding snapshot"}',
    'warn plugin {"chain":"mine","text":"Failed to load a=1"}',
    'error plugin {"chain":"mine","text":"failed"}',
    'debug plugin {"chain":"mine","text":"free text"}',
  ])
})

test("snapshots whose rows take more memory than there is are lost, and a later one is not", async () => {
  let losses = 0
  const moments = new L1Moments(() => losses++, 1000)
  const database = new RevertibleDatabase(new MemoryDatabase(1 << 20), moments.room)
  const l1 = { record: { name: "one" }, database, dataDir: mkdtempSync(join(dir, "own-")) } as unknown as HostedParts
  let id = 0
  const take = () => moments.take([l1], async () => ({ id: ++id }))
  const revert = (number: number) =>
    moments.revert(
      number,
      async () => {},
      async () => {},
    )
  const write = (value: Uint8Array) => database.write({ puts: [{ key: utf8("key"), value }], deletes: [] })
  write(new Uint8Array(600))
  await take()
  write(new Uint8Array(10))
  await take()
  expect([losses, moments.room.bytes]).toEqual([0, 903])
  write(new Uint8Array(0))
  expect([losses, moments.room.bytes]).toEqual([1, 0])
  for (const lost of [1, 2]) await expect(revert(lost)).rejects.toMatchObject({ code: "vm.snapshot_lost", data: { id: lost } })
  await take()
  write(new Uint8Array(5))
  await revert(3)
  expect(database.get(utf8("key"))?.length).toBe(0)
})
