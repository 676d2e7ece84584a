import { Buffer } from "node:buffer"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { nodeTables } from "../../src/datadir/nodeTables.js"
import { type Devnet, startDevnet } from "../../src/devnet/devnet.js"
import type { Dump } from "../../src/producer/snapshots/dump.js"
import { packDump, unpackDump } from "../../src/producer/snapshots/packDump.fixture.js"
import { attempts, Random, seed } from "./random.js"

const ADDRESS = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"

/** Calls of all kinds, with a few that make blocks. */
const CALLS: readonly (readonly [string, object?])[] = [
  ["dev.status"],
  ["platform.getCurrentValidators"],
  ["platform.getL1s"],
  ["platform.getBlocks", { limit: 1024 }],
  ["platform.getTxs", { limit: 1024 }],
  ["platform.getBalance", { addresses: [ADDRESS] }],
  ["platform.getAllValidatorsAt", { height: "proposed" }],
  ["platform.getFeeState"],
  ["platform.getFormerValidators"],
  ["dev.fund", { address: ADDRESS, amount: "5" }],
  ["dev.advanceTime", { seconds: 86_400 }],
  ["dev.advanceTime", { seconds: 3_000_000 }],
  ["dev.dumpState"],
]

/** The state file of a chain on which something of everything happened. */
async function livedState(): Promise<Dump> {
  await using devnet = await startDevnet({ port: false, accounts: 2 })
  await devnet.rpc("dev.createL1", { validators: 2 })
  await devnet.rpc("dev.addValidators", { count: 2, delegators: 1 })
  await devnet.rpc("dev.addValidators", { count: 1, autoRenew: { period: 31_536_000n, compound: 50 } })
  await devnet.rpc("dev.fund", { address: ADDRESS, amount: 5n })
  await devnet.rpc("dev.advanceTime", { seconds: 100_000 })
  return unpackDump(Buffer.from((await devnet.rpc("dev.dumpState")).state, "base64"))
}

/** Changes a bit, a byte or eight bytes of one row of a table. */
function changed(random: Random, state: Dump): { readonly what: string; readonly state: Dump } {
  const table = random.pick(state.tables.filter(({ rows }) => rows.length > 0))
  const place = random.below(table.rows.length)
  const row = table.rows[place]!
  const part = random.below(5) > 0 && row.value.length > 0 ? "value" : "key"
  const bytes = Uint8Array.from(row[part])
  const wide = bytes.length >= 8 ? random.below(bytes.length - 7) : undefined
  const kind = random.below(4)
  if (kind === 0 || (kind !== 1 && wide === undefined)) bytes[random.below(bytes.length)]! ^= 1 << random.below(8)
  else if (kind === 1) bytes[random.below(bytes.length)] = random.below(256)
  else bytes.fill(kind === 2 ? 255 : 0, wide, (wide as number) + 8)
  const rows = table.rows.with(place, { ...row, [part]: bytes })
  return {
    what: `${table.name} ${place} ${part} ${Buffer.from(bytes).toString("hex")}`,
    state: { ...state, tables: state.tables.map((each) => (each === table ? { ...table, rows } : each)) },
  }
}

test("a row of the read model that no block gives is refused", async () => {
  const state = await livedState()
  await using devnet = await startDevnet({ port: false, accounts: 2 })
  const { height } = await devnet.rpc("platform.getHeight")
  type Row = Dump["tables"][number]["rows"][number]
  const withFirst = (name: string, change: (row: Row) => Row) => {
    const tables = state.tables.map((each) => {
      if (each.name !== name) return each
      const [first, ...others] = each.rows
      const rows = [...others, change(first as Row)].sort((a, b) => Buffer.compare(a.key, b.key))
      return { ...each, rows }
    })
    return Buffer.from(packDump({ ...state, tables })).toString("base64")
  }
  const changed = (bytes: Uint8Array, from: number, to: number, value: number) => Uint8Array.from(bytes).fill(value, from, to)
  const cases: readonly (readonly [string, (row: Row) => Row, string])[] = [
    ["blockTimes", (row) => ({ ...row, key: changed(row.key, 0, 8, 255) }), "blockTimes has under 0 no row, and block 0 gives "],
    ["txsByKind", (row) => ({ ...row, key: changed(row.key, 1, 9, 0) }), "txsByKind has under "],
    ["txsByKind", (row) => ({ ...row, value: changed(row.value, 0, 32, 7) }), "txsByKind has under "],
    ["txsByAddress", (row) => ({ ...row, value: changed(row.value, 0, 32, 7) }), "txsByAddress has under "],
    ["spenders", (row) => ({ ...row, value: changed(row.value, 32, 40, 255) }), "spenders has under "],
  ]
  for (const [name, change, reason] of cases) {
    const refused = { code: "producer.bad_dump", data: { reason: expect.stringContaining(reason) } }
    expect(await asked(devnet, "dev.loadState", { state: withFirst(name, change) })).toMatchObject(refused)
  }
  const blockTimes = state.tables.find(({ name }) => name === "blockTimes")?.rows.slice(1) ?? []
  const tables = state.tables.map((each) => (each.name === "blockTimes" ? { ...each, rows: blockTimes } : each))
  const missing = Buffer.from(packDump({ ...state, tables })).toString("base64")
  expect(await asked(devnet, "dev.loadState", { state: missing })).toMatchObject({ code: "producer.bad_dump" })
  expect(await devnet.rpc("platform.getHeight")).toEqual({ height })
  expect(await asked(devnet, "dev.loadState", { state: withFirst("txsByKind", (row) => row) })).toBeUndefined()
})

type Failure = { readonly code?: unknown; readonly message?: string }
const asked = (devnet: Devnet, method: string, params: object = {}): Promise<Failure | undefined> =>
  devnet.rpc(method as "dev.status", params as never).then(
    () => undefined,
    (error: Failure) => error,
  )

test("a state file with a changed row is refused and the chain stays, or its chain answers and makes blocks", {
  timeout: 3_600_000,
}, async () => {
  const random = new Random(seed("state files"))
  const good = await livedState()
  expect(good.tables.map(({ name }) => name)).toEqual(expect.arrayContaining(["currentStakers", "l1Validators"]))
  expect(nodeTables.length).toBeGreaterThan(good.tables.length - 1)
  const dataDir = mkdtempSync(join(tmpdir(), "serac-statefuzz-"))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  let devnet = await startDevnet({ port: false, dataDir, accounts: 2 })
  await devnet.rpc("dev.fund", { address: ADDRESS, amount: 7n })
  const faults: string[] = []
  let [accepted, refused] = [0, 0]
  for (let i = 0; i < attempts(400, 20); i++) {
    const { what, state } = changed(random, good)
    const before = await devnet.rpc("platform.getHeight")
    const refusal = await asked(devnet, "dev.loadState", { state: Buffer.from(packDump(state)).toString("base64") })
    if (refusal) {
      refused++
      if (refusal.code !== "producer.bad_dump") faults.push(`${what}: refused with ${refusal.code} ${refusal.message}`)
      const after = await devnet.rpc("platform.getHeight")
      if (after.height !== before.height) faults.push(`${what}: height ${before.height} to ${after.height} by ${refusal.code}`)
      if (random.below(10) > 0) continue
    } else {
      accepted++
      for (const [method, params] of CALLS) {
        const failure = await asked(devnet, method, params)
        if (failure && (typeof failure.code !== "string" || failure.code === "rpc.call_failed"))
          faults.push(`${what}: ${method}: ${failure.message}`)
      }
    }
    await devnet.stop()
    devnet = await startDevnet({ port: false, dataDir, accounts: 2 })
  }
  await devnet.stop()
  console.info(`${accepted} accepted, ${refused} refused`)
  expect(faults).toEqual([])
})
