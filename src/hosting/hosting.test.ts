import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { utf8 } from "../core/lib/bytes.js"
import { silentLog } from "../core/lib/log.js"
import { identityText } from "../core/networks/chainIdentity.js"
import { tables } from "../core/state/tables.js"
import { type ID, idOfName, idText, PRIMARY_NETWORK_ID, SUBNET_EVM } from "../core/types/id.js"
import { evmGenesis } from "../evm/genesis.js"
import { openDevnet } from "../producer/devnet.fixture.js"
import { hostedTables } from "../producer/tables.js"
import { MemoryStore } from "../store/memory/memoryStore.js"
import { CORETH } from "../vmhost/plugin/pluginFiles.js"
import { type ChainRecord, recordEdits, recordsIn, removalEdits, removeOtherFolders, reportPChainOnly } from "./chainRecord.js"
import { developerConfig, developerGenesis, developerUpgrades, effectiveConfig } from "./developerChain.js"
import { aliasPorts, logPluginLine, writtenPChain } from "./hostedChain.js"
import { openHosting } from "./openHosting.js"
import { newName } from "./preparation.js"

const chainID = "22".repeat(32) as ID
const genesisChains = { xChainID: "aa".repeat(32) as ID, cChainID: "cc".repeat(32) as ID }
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
    const configOf = (vmID: ID, config: Uint8Array) => effectiveConfig({ subnetID: "11".repeat(32) as ID, vmID, config })
    expect(json(configOf(SUBNET_EVM, developerConfig()))).toMatchObject({
      "use-standalone-database": false,
      "warp-api-enabled": true,
    })
    expect(json(configOf(SUBNET_EVM, new Uint8Array(0)))).toEqual({ "use-standalone-database": false })
    expect(json(configOf(SUBNET_EVM, utf8('{"use-standalone-database":true}')))).toEqual({
      "use-standalone-database": true,
    })
    // 64-bit integers stay as they are.
    expect(configOf(SUBNET_EVM, utf8('{"a":18446744073709551615}'))).toEqual(
      utf8('{"use-standalone-database":false,"a":18446744073709551615}'),
    )
    expect(configOf(SUBNET_EVM, utf8("{"))).toEqual(utf8("{"))
    expect(configOf(idOfName("xsvm"), utf8("x"))).toEqual(utf8("x"))
    // An L1 may run the VM of the C-Chain without being it.
    expect(configOf(CORETH, utf8("{}"))).toEqual(utf8("{}"))
    expect(json(effectiveConfig({ subnetID: PRIMARY_NETWORK_ID, vmID: CORETH, config: utf8("{}") }))).toMatchObject({
      "state-sync-enabled": false,
    })
  })

  test("another genesis has no chain ID", () => {
    expect(evmGenesis(utf8('{"config":{"chainId":9007199254740993}}'))?.chainID).toBe(9_007_199_254_740_993n)
    for (const text of ["", "x", "{}", "[]"]) expect(evmGenesis(utf8(text))).toBeUndefined()
  })
})

describe("the name of an L1", () => {
  test.each(["mine", "M1", "a".repeat(32), "list"])("%s is taken as it is", (name) => {
    expect(newName(name, [], genesisChains)).toBe(name)
  })
  test.each(["", "1a", "a-b", "a b", "a/b", "ä", "a".repeat(33)])("%j is refused", (name) => {
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

test("records are those that were written last; a copy, a server or a fork says that it has the P-Chain only", () => {
  const store = new MemoryStore({ tables: Object.values(hostedTables) })
  const said: unknown[] = []
  const log = { ...silentLog, info: (event: string, data?: object) => said.push([event, data]) }
  reportPChainOnly(store, "/data", log)
  const record: ChainRecord = {
    ...{ name: "mine", subnetID: "11".repeat(32) as ID, chainID, vmID: SUBNET_EVM },
    ...{ config: utf8("{}"), upgrades: new Uint8Array(0), rules: "", isStopped: false },
  }
  store.commit(recordEdits(record))
  store.commit(recordEdits({ ...record, isStopped: true }))
  expect(recordsIn(store.latest)).toEqual([{ ...record, isStopped: true }])
  reportPChainOnly(store, "/data", log)
  store.commit(removalEdits(chainID))
  expect(recordsIn(store.latest)).toEqual([])
  reportPChainOnly(store, "/data", log)
  store.putMeta({ networkID: 12345, genesisID: "11".repeat(32) as ID, identity: identityText({ kind: "followed", id: "1" }) })
  reportPChainOnly(store, "http://127.0.0.1:9650", log)
  const sentence = "only the P-Chain is here: the C-Chain and the L1s of the node that makes it are not copied"
  expect(said).toEqual([
    [sentence, { from: "/data", hosted: "mine" }],
    [sentence, { from: "http://127.0.0.1:9650" }],
  ])
})

test("a node without plugins names the chains of its directory that do not run", async () => {
  const store = new MemoryStore({ tables: Object.values(hostedTables) })
  const warned: unknown[] = []
  const log = { ...silentLog, warn: (event: string, data?: object) => warned.push([event, data]) }
  const open = () => openHosting({ log } as never, { privateChain: { options: { store } }, isFork: false } as never)
  expect([await open(), warned]).toEqual([undefined, []])
  for (const [name, id] of [
    ["C", "33"],
    ["mine", "22"],
  ] as const) {
    const of = { name, subnetID: "11".repeat(32) as ID, chainID: id.repeat(32) as ID, vmID: SUBNET_EVM }
    store.commit(recordEdits({ ...of, config: new Uint8Array(0), upgrades: new Uint8Array(0), rules: "", isStopped: false }))
  }
  const sentence = "the chains that this node hosted do not run without their plugins; their data stays"
  expect([await open(), warned]).toEqual([undefined, [[sentence, { chains: "mine, C", flag: "--plugin-dir" }]]])
})

test("a folder of an L1 that the node does not host is removed, and data of an earlier version stays", () => {
  const folder = mkdtempSync(join(tmpdir(), "serac-l1-folders-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of [idText(chainID), "half", "older"]) mkdirSync(join(folder, name, "vm"), { recursive: true })
  writeFileSync(join(folder, "older", "l1.json"), "{}")
  expect(removeOtherFolders(folder, [{ chainID } as ChainRecord])).toEqual(["older"])
  expect(readdirSync(folder).sort()).toEqual([idText(chainID), "older"].sort())
  expect(removeOtherFolders(join(folder, "missing"), [])).toEqual([])
})

test("warnings and errors of a plugin that runs are the node's own, and its other lines are details", () => {
  const lines: string[] = []
  const say = (level: string) => (event: string, data?: object) => lines.push(`${level} ${event} ${JSON.stringify(data)}`)
  const log = { ...silentLog, error: say("error"), warn: say("warn"), info: say("info"), debug: say("debug") }
  logPluginLine(log, "mine", "[11-18|01:11:48.135] INFO <ID Chain> /go/core/x.go:826 Rebuilding   snapshot", "running")
  logPluginLine(log, "mine", "[11-18|01:11:48.135] WARN <ID Chain> /go/core/x.go:826 Failed to load a=1", "running")
  logPluginLine(log, "mine", "[11-18|01:11:48.135] WARN Failed to load snapshot, regenerating", "starting")
  logPluginLine(log, "mine", "[11-18|01:11:48.135] ERROR failed", "starting")
  logPluginLine(log, "mine", "free text", "running")
  expect(lines).toEqual([
    'debug plugin {"chain":"mine","text":"Rebuilding snapshot"}',
    'warn plugin {"chain":"mine","text":"Failed to load a=1"}',
    'debug plugin {"chain":"mine","text":"Failed to load snapshot, regenerating"}',
    'error plugin {"chain":"mine","text":"failed"}',
    'debug plugin {"chain":"mine","text":"free text"}',
  ])
})

test("VMs see the P-Chain as far as it is written", async () => {
  const { chain } = await openDevnet()
  const { treasury } = chain
  const port = writtenPChain(chain, false)
  await chain.turn(async (turn) => {
    await turn.extend([treasury.filler(treasury.purse(turn.written(), turn.now()), turn.now())])
    expect([chain.status.lastAccepted.height, port.height(), port.minimumHeight()]).toEqual([1n, 0n, 0n])
    expect(port.view().get(tables.blockIDs, 1n)).toBeUndefined()
  })
  expect([port.height(), port.minimumHeight()]).toEqual([1n, 1n])
})
