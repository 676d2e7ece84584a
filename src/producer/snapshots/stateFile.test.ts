import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { idOfByte } from "../../../test/fixtures/txs.js"
import { AVAX } from "../../core/networks/params.js"
import { Diff } from "../../core/state/diff.js"
import { hexKey } from "../../core/state/key.js"
import { noValue, table } from "../../core/state/table.js"
import { type ID, P_CHAIN_ID } from "../../core/types/id.js"
import { openLmdbStore } from "../../store/lmdb/openLmdbStore.js"
import { stateHash } from "../../store/maintenance/stateHash.js"
import { Actor } from "../actor.fixture.js"
import { type Devnet, devnetTables, openDevnet } from "../devnet.fixture.js"
import { grantTo } from "../funds/treasury.js"
import { packBytes, packDump, unpackDump } from "./packDump.fixture.js"

const users = table("users", hexKey<string>(1), noValue)
const manual = { blockMode: { mode: "manual" } } as const

/** A chain on which something of everything happened. */
async function lived(): Promise<{ devnet: Devnet; dump: Uint8Array }> {
  const devnet = await openDevnet({ choices: manual, tablesBesideChain: [users] })
  const { dev, store } = devnet
  const actor = await Actor.withFunds(devnet, 1, 10n * AVAX)
  await dev.addValidators({ count: 1, delegators: 1, duration: 86_400n })
  await dev.setTime({ to: dev.now() + 90_000n })
  await dev.impersonate([actor.key.address])
  await dev.fund({ ...grantTo(actor.key.address), stakeableLocktime: 9_999_999_999n })
  await actor.issue(actor.make("BaseTx", {}))
  addUser(devnet, "aa")
  expect(store.latest.get(users, "aa")).toBe(null)
  return { devnet, dump: await dev.dumpState() }
}

function addUser({ store }: Devnet, name: string): void {
  const diff = new Diff(store.latest)
  diff.put(users, name, null)
  store.commit(diff.edits)
}

const standOf = ({ dev, store }: Devnet) => ({
  hash: stateHash(store.latest, [...devnetTables, users]),
  clock: dev.now(),
  waiting: dev.mempool().map(({ id }) => id),
  overrides: dev.status().overrides,
})

test("a dumped chain continues on another node unchanged, also on the disk", async () => {
  const { devnet, dump } = await lived()
  const dir = mkdtempSync(join(tmpdir(), "serac-dump-"))
  const store = openLmdbStore({ dir, tables: devnetTables, tablesBesideChain: [users] })
  const other = await openDevnet({ store, choices: manual, tablesBesideChain: [users] })
  addUser(other, "bb")
  await other.dev.mine({ blocks: 3, filler: true })
  const { id } = await other.dev.snapshot()
  const { height } = devnet.chain.status.lastAccepted
  expect(await other.dev.loadState(dump)).toEqual({ height })
  expect(standOf(other)).toEqual(standOf(devnet))
  await expect(other.dev.revert(id)).rejects.toMatchObject({ code: "producer.unknown_snapshot" })
  expect(await other.dev.mine({ blocks: 1, filler: false })).toEqual({ height: height + 1n, blocks: 1 })
  await other.chain.stop()
  await store.close()
  rmSync(dir, { recursive: true })
})

test("a reset keeps the rows that do not belong to the chain", async () => {
  const { devnet } = await lived()
  const { dev, store, chain } = devnet
  expect(await dev.reset()).toEqual({ height: 0n })
  expect([dev.status().overrides, dev.mempool(), chain.status.overrides.impersonated.size]).toEqual([0, [], 0])
  expect(store.latest.get(users, "aa")).toBe(null)
  const again = await openDevnet({ tablesBesideChain: [users] })
  expect(stateHash(store.latest, devnetTables)).toBe(stateHash(again.store.latest, devnetTables))
})

test("a chain of another network or other rules is refused, and nothing changes", async () => {
  const { dump } = await lived()
  for (const [changes, what] of [
    [{ networkID: 424_242 }, "network"],
    [{ flags: { "min-validator-stake": "1" } }, "rules"],
  ] as const) {
    const other = await openDevnet(changes)
    const before = stateHash(other.store.latest, devnetTables)
    await expect(other.dev.loadState(dump)).rejects.toMatchObject({ code: "producer.other_dump", data: { what } })
    expect(stateHash(other.store.latest, devnetTables)).toBe(before)
  }
})

test("rows of the read model that another version made are rebuilt", async () => {
  const { dump } = await lived()
  const rebuilt: ID[] = []
  const other = await openDevnet({ tablesBesideChain: [users], rebuild: ({ id }) => rebuilt.push(id) })
  other.store.putMeta({ readModel: "2" })
  await other.dev.loadState(dump)
  expect([rebuilt, other.store.getMeta("readModel")]).toEqual([[other.chain.options.genesis.id], "2"])
})

test("a faulty dump is refused with the fault, and nothing is lost", async () => {
  const { devnet, dump } = await lived()
  const value = unpackDump(dump)
  const named = (name: string, rows: (typeof value.tables)[number]["rows"]) =>
    value.tables.map((each) => (each.name === name ? { name, rows } : each))
  const rowsOf = (name: string) => value.tables.find((each) => each.name === name)!.rows
  const junk = Uint8Array.of(0, 0, 3)
  const wrong: readonly (readonly [Partial<typeof value>, object])[] = [
    [{ waiting: [junk] }, { part: "waiting", reason: "codec.truncated" }],
    [{ genesis: junk }, { part: "genesis", reason: "codec.truncated" }],
    [{ tables: [...value.tables, { name: "attic", rows: [] }] }, { part: "attic", reason: "no such table" }],
    [{ tables: named("timestamp", [{ key: junk, value: junk }]) }, { part: "timestamp", reason: "a key has the wrong size" }],
    [{ tables: named("timestamp", [{ key: junk.subarray(2), value: junk }]) }, { part: "timestamp", reason: "codec.truncated" }],
    [{ tables: named("lastAccepted", []) }, { reason: "no last accepted block" }],
    [
      { tables: [...value.tables, ...value.tables.slice(0, 1)] },
      { part: value.tables[0]!.name, reason: "the table is there twice" },
    ],
    [{ tables: named("blocks", rowsOf("blocks").toReversed()) }, { part: "blocks", reason: "the keys do not ascend" }],
    [
      { tables: named("members", rowsOf("members").slice(1)) },
      { reason: expect.stringMatching(/^members has under .* no row, and its validators gives /) },
    ],
    [
      { tables: named("supplies", []) },
      { reason: expect.stringMatching(/^supplies has under \w+ no row, and every chain gives the supply of AVAX, /) },
    ],
    [{ now: 1n }, { reason: "its clock is before its last block" }],
    [
      { tables: named("accruedFees", [{ ...rowsOf("accruedFees")[0]!, value: new Uint8Array(8).fill(255) }]) },
      { reason: expect.stringContaining("a sum or product does not fit in 64 bits") },
    ],
  ]
  const before = standOf(devnet)
  for (const [changes, data] of wrong) {
    const bytes = packDump({ ...value, ...changes })
    await expect(devnet.dev.loadState(bytes)).rejects.toMatchObject({ code: "producer.bad_dump", data })
  }
  expect(standOf(devnet)).toEqual(before)
  await devnet.dev.loadState(packDump(value))
  expect(standOf(devnet)).toEqual(before)
})

test("a reset of a chain that was started from a dumped state returns to that state, and keeps the rows that do not belong to the chain", async () => {
  const { devnet, dump } = await lived()
  const other = await openDevnet({ choices: manual, tablesBesideChain: [users], initialState: dump })
  const { dev } = other
  await dev.loadState(dump)
  addUser(other, "cc")
  await dev.setBlockMode({ mode: "auto" })
  await dev.mine({ blocks: 3, filler: true })
  const { id } = await dev.snapshot()
  expect(await dev.reset()).toEqual({ height: devnet.chain.status.lastAccepted.height })
  expect(dev.status()).toMatchObject({ blockMode: { mode: "manual" }, snapshots: [], mempool: 1 })
  await expect(dev.revert(id)).rejects.toMatchObject({ code: "producer.unknown_snapshot" })
  addUser(devnet, "cc")
  expect(standOf(other)).toEqual(standOf(devnet))
})

test("bytes that are no dump are refused, wherever they are cut", async () => {
  const { dump } = await lived()
  const { dev, store } = await openDevnet({ tablesBesideChain: [users] })
  const before = stateHash(store.latest, devnetTables)
  for (const size of [0, 5, 11, 12, 13, 40, dump.length - 1]) {
    await expect(dev.loadState(dump.subarray(0, size))).rejects.toMatchObject({ code: "producer.bad_dump" })
  }
  await expect(dev.loadState(dump.with(200, dump[200]! ^ 1))).rejects.toMatchObject({
    code: "producer.bad_dump",
    data: { reason: "the file was changed after it was written, or its end is missing" },
  })
  await expect(dev.loadState(dump.with(11, 0))).rejects.toMatchObject({
    code: "producer.older_dump",
    data: { version: 0, known: 4 },
  })
  await expect(dev.loadState(dump.with(11, 5))).rejects.toMatchObject({
    code: "producer.newer_dump",
    data: { version: 5, known: 4 },
  })
  expect(stateHash(store.latest, devnetTables)).toBe(before)
})

test("a few bytes that unpack to far more than any chain does are refused before they fill the memory", async () => {
  // A network, and a genesis of 65 MiB.
  const unpacked = Buffer.alloc(8 + (65 << 20))
  unpacked.writeUInt32BE(65 << 20, 4)
  const bomb = packBytes(unpacked)
  const { dev } = await openDevnet()
  await expect(dev.loadState(bomb)).rejects.toMatchObject({
    code: "producer.bad_dump",
    data: { reason: expect.stringContaining("larger than 67108864 bytes") },
  })
})

test("a chain whose AVAX went to or came from a C-Chain is not dumped, and one that was reverted is", async () => {
  const devnet = await openDevnet({ choices: manual })
  const { dev, chain } = devnet
  const { id } = await dev.snapshot()
  const change = { kind: "sharedMemory", chainID: idOfByte(3), peer: P_CHAIN_ID, removes: [], puts: [] } as const
  await chain.turn((turn) => turn.applyOverrides([change]))
  await expect(dev.dumpState()).rejects.toMatchObject({ code: "producer.c_chain_took_part" })
  await dev.revert(id)
  expect((await dev.dumpState()).length).toBeGreaterThan(0)
})
