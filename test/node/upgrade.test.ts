import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { RootDatabase } from "lmdb"
import { afterEach, describe, expect, test } from "vitest"
import { load } from "../../src/core/crypto/load.js"
import { Invalid } from "../../src/core/lib/invalid.js"
import { rebuildReadModel } from "../../src/core/readmodel/fold.js"
import { READ_MODEL_VERSION } from "../../src/core/readmodel/versions.js"
import { openChainData } from "../../src/node/chainData.js"
import { startNode } from "../../src/node/node.js"
import { nodeTables, tablesBesideChain } from "../../src/node/nodeTables.js"
import { openStore } from "../../src/node/openStore.js"
import { startServing } from "../../src/node/serve.js"
import { platformMethods } from "../../src/services/platform/index.js"
import { faultsIn } from "../../src/store/check.js"
import { MemoryStore } from "../../src/store/memoryStore.js"
import { SCHEMA } from "../../src/store/meta.js"
import { stateHash } from "../../src/store/stateHash.js"
import type { Store } from "../../src/store/store.js"
import { directoryWith, oldAnswers, oldSchemas, oldStateFile, oldStore } from "../fixtures/oldStores.js"
import { testNode } from "../fixtures/rpcNode.js"

const allTables = [...nodeTables, ...tablesBesideChain]

const opened: Store[] = []
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})

/** Opens a directory as a node does: the store is upgraded, then the read model is made. */
function open(dir: string): Store {
  const store = openStore(dir)
  opened.push(store)
  const { genesis } = openChainData(store, { now: 0n })
  if (store.getMeta("readModel") === READ_MODEL_VERSION) return store
  rebuildReadModel(store, genesis)
  store.putMeta({ readModel: READ_MODEL_VERSION })
  return store
}

/** The whole content of a store. */
const contentsOf = (store: Store) => ({
  hash: stateHash(store.latest, allTables),
  faults: faultsIn(store.latest, allTables),
  rows: store.statistics().rows,
  meta: (["schema", "upgradingFrom", "readModel", "networkID"] as const).map((name) => store.getMeta(name)),
})

/** Copies of the data file after each commit of `work`: the file that a kill at that moment leaves. */
function filesAtCommits(dir: string, work: () => unknown): Buffer[] {
  const lmdb = load<{ open: (...options: readonly unknown[]) => RootDatabase }>("lmdb")
  const { open } = lmdb
  const files: Buffer[] = []
  lmdb.open = (...options) => watched(open(...options), () => files.push(readFileSync(join(dir, "data.mdb"))))
  try {
    work()
  } finally {
    lmdb.open = open
  }
  return files
}

/** A root database that calls back after each of its outermost transactions. */
function watched(root: RootDatabase, onCommit: () => void): RootDatabase {
  const transactionSync = root.transactionSync.bind(root)
  let depth = 0
  root.transactionSync = <T>(action: () => T): T => {
    depth++
    const result = transactionSync(action) as T
    depth--
    if (depth === 0) onCommit()
    return result
  }
  return root
}

/** Writes rows into a table directly, without the store. */
async function putRows(dir: string, table: string, rows: Readonly<Record<string, string>>): Promise<void> {
  const root = load<typeof import("lmdb")>("lmdb").open({ path: dir, noSubdir: false, overlappingSync: false, maxDbs: 100 })
  const database = root.openDB<Buffer, Buffer>(table, { encoding: "binary", keyEncoding: "binary" })
  for (const [key, value] of Object.entries(rows)) database.putSync(Buffer.from(key, "hex"), Buffer.from(value))
  await root.close()
}

/** The upgrade of older schemas than this rebuilds an index and the read model. */
const REMADE = 3

describe.each(oldSchemas)("a store of schema %i", (schema) => {
  test("is upgraded when it is opened, and then answers as it did", async () => {
    const store = open(oldStore(schema))
    const { meta, faults } = contentsOf(store)
    expect([meta, faults]).toEqual([[SCHEMA, undefined, READ_MODEL_VERSION, 12345], []])
    const { rules, genesis } = openChainData(store, { now: 0n })
    const node = testNode({ store, rules, genesis, methods: platformMethods })
    for (const { method, params, result } of oldAnswers(schema)) {
      expect([method, (await node.call(method, params, "contract")).result]).toMatchObject([method, result])
    }
  })

  test("is the same after a kill at any commit of its upgrade, and older versions refuse it from the first one on", async () => {
    const dir = oldStore(schema)
    const original = readFileSync(join(dir, "data.mdb"))
    let undisturbed: ReturnType<typeof contentsOf> | undefined
    const files = filesAtCommits(dir, () => {
      undisturbed = contentsOf(open(dir))
    })
    expect(files.length).toBeGreaterThan(schema < REMADE ? 7 : 2)
    for (const [commit, file] of files.entries()) {
      const copy = directoryWith(file)
      const root = load<typeof import("lmdb")>("lmdb").open({ path: copy, noSubdir: false, readOnly: true, maxDbs: 100 })
      const noted = root.openDB<Buffer, string>("serac", { encoding: "binary" }).get("schema")
      // Taking the lock is a commit that writes nothing.
      if (!file.equals(original)) expect(noted?.readUInt32BE(), `after commit ${commit}`).toBe(SCHEMA)
      await root.close()
      expect(contentsOf(open(copy)), `after commit ${commit}`).toEqual(undisturbed)
    }
  })

  test("ends in the same state after two kills at different commits", async () => {
    const dir = oldStore(schema)
    const files = filesAtCommits(dir, () => open(dir))
    const expected = contentsOf(opened.at(-1) as Store)
    const second = directoryWith(files[Math.min(2, files.length - 1)] as Buffer)
    const again = filesAtCommits(second, () => open(second))
    for (const file of [again[0], again.at(3) ?? again.at(-1)])
      expect(contentsOf(open(directoryWith(file as Buffer)))).toEqual(expected)
  })

  if (schema < REMADE)
    test("removes the index rows that an interrupted upgrade of another version left", async () => {
      const expected = contentsOf(open(oldStore(schema)))
      const dir = oldStore(schema)
      const stale = { ["11".repeat(52)]: "a UTXO that was spent", ["22".repeat(52)]: "another" }
      for (const table of ["ownedUtxos", "utxosByOwner", "utxosByAddress"]) await putRows(dir, table, stale)
      expect(contentsOf(open(dir))).toEqual(expected)
    })

  test("is refused by read-only commands until it was upgraded; the refusal names the command that upgrades it", async () => {
    const dir = oldStore(schema)
    const refusal = refusalOf(() => openStore(dir, { readOnly: true }))
    expect(refusal).toMatchObject({ code: "store.outdated", data: { dir, schema, known: SCHEMA } })
    expect(refusal.message).toContain("`serac serve` upgrades it")
    const half = filesAtCommits(dir, () => open(dir))[1] as Buffer
    expect(refusalOf(() => openStore(directoryWith(half), { readOnly: true }))).toMatchObject({
      code: "store.outdated",
      data: { schema },
    })
    await opened.pop()?.close()
    opened.push(openStore(dir, { readOnly: true }))
  })

  test("is upgraded by a public server, which then only reads", async () => {
    const dir = oldStore(schema)
    const messages: string[] = []
    const note = (message: string) => messages.push(message)
    const log = { error: note, warn: note, info: note, debug: () => {}, isEnabled: () => true }
    const options = { dialect: "contract", isPublic: true, log, wall: () => 0 } as const
    const served = await startServing({ ...options, dataDir: dirname(dir) })
    expect(served.height()).toBe(schema < REMADE ? 17n : 22n)
    const rebuilding = ["bringing the store up to date", "making the read model", "read model continues"]
    const added = ["adding the history for explorers", "history for explorers continues"]
    expect(messages).toEqual(schema < REMADE ? expect.arrayContaining([...rebuilding, ...added]) : added)
    await served.stop()
  })
})

// Later state files have the read model of their time, which `src/producer/snapshots` tests.
describe.each(oldSchemas.filter((schema) => schema < REMADE))("a state file of schema %i", (schema) => {
  test("is loaded and its read model is rebuilt, and the chain gives the same answers", async () => {
    const store = new MemoryStore({ tables: nodeTables, tablesBesideChain })
    const messages: string[] = []
    const note = (message: string) => messages.push(message)
    const node = await startNode({
      store,
      mode: "dev",
      choice: { ruleFlags: MUCH_GAS, now: 0n },
      producer: { blockMode: { mode: "manual" }, renewsValidators: false },
      loadState: oldStateFile(schema),
      dialect: "contract",
      isPublic: false,
      log: { error: note, warn: note, info: note, debug: () => {}, isEnabled: () => true },
      wall: () => 0,
    })
    expect(messages).toContain("making the read model")
    expect([faultsIn(store.latest, allTables), store.getMeta("readModel")]).toEqual([[], READ_MODEL_VERSION])
    const { rules, genesis } = openChainData(store, { now: 0n })
    const { call } = testNode({ store, rules, genesis, methods: platformMethods })
    for (const { method, params, result } of oldAnswers(schema)) {
      expect([method, (await call(method, params, "contract")).result]).toMatchObject([method, result])
    }
    await node.stop()
  })
})

/** The flags that the old chains were started with. */
const MUCH_GAS = {
  "dynamic-fees-max-gas-capacity": "100000000000",
  "dynamic-fees-max-gas-per-second": "100000000000",
  "dynamic-fees-target-gas-per-second": "50000000000",
}

function refusalOf(work: () => unknown): Invalid {
  try {
    work()
  } catch (error) {
    if (error instanceof Invalid) return error
    throw error
  }
  throw new Error("nothing was refused")
}
