import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { brotliDecompressSync } from "node:zlib"
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest"
import { encode } from "../../src/core/codec/decode.js"
import { wrapperTables } from "../../src/core/consensus/proposer/tables.js"
import { parseJson } from "../../src/core/lib/parseJson.js"
import { Diff } from "../../src/core/state/diff.js"
import type { AnyPrimaryTable } from "../../src/core/state/table.js"
import { isPrimary } from "../../src/core/state/table.js"
import type { NodeID } from "../../src/core/types/id.js"
import { carriedTables, nodeTables, tablesBesideChain, uptimes } from "../../src/datadir/nodeTables.js"
import { openStore } from "../../src/datadir/openStore.js"
import { chainDir } from "../../src/datadir/places.js"
import { startDevnet } from "../../src/devnet/devnet.js"
import { users } from "../../src/keystore/tables.js"
import { devTables, hostedTables } from "../../src/producer/tables.js"
import { systemFiles } from "../../src/store/lmdb/storeFiles.js"
import { type Meta, metaValues, SCHEMA } from "../../src/store/meta.js"
import { replay } from "../../src/sync/replay.js"
import { chainToReplay } from "../../src/tools/chainToReplay.js"
import { upgradeChain } from "../../src/tools/upgrade/upgradeChain.js"
import { runBin, seracOfFile } from "../cli/serac.js"
import { goldenSource } from "../fixtures/goldenChain.js"
import { idOfByte } from "../fixtures/txs.js"
import { attempts, Random, seed } from "../fuzz/random.js"
import { readRecording, recordingText } from "../recordings/recordings.js"
import { root } from "../sources.js"
import { run } from "../terminal.js"

const built = seracOfFile("upgrade")

/**
 * Directories that commit 8cb90910 (schema 6) wrote: a private chain with overrides, a user, a moved clock and an L1; a fork of it over a copy of
 * its first blocks; and the chain of a network. `facts.json` has what `serac state --json` of that commit says of them.
 */
const OLDER = join(root, "test/node/older")
const kinds = {
  private: { private: "chain" },
  joined: { joined: "chain" },
  fork: { fork: "fork", forkBase: "base/chain" },
} as const
type Kind = keyof typeof kinds

interface Facts {
  readonly state: Readonly<Record<string, unknown>>
  readonly answers?: { readonly users: object; readonly waiting: readonly string[]; readonly clock: string }
}
const factsOf = (kind: Kind): Facts =>
  (parseJson(readFileSync(join(OLDER, "facts.json"), "utf8")) as unknown as Readonly<Record<Kind, Facts>>)[kind]

/** Makes a directory as the older version left it. */
function olderDir(kind: Kind): string {
  const dataDir = mkdtempSync(join(built.folder, `${kind}-`))
  for (const [file, place] of Object.entries(kinds[kind])) {
    mkdirSync(join(dataDir, place), { recursive: true })
    writeFileSync(join(dataDir, place, "data.mdb"), brotliDecompressSync(readFileSync(join(OLDER, `${file}.mdb.br`))))
  }
  return dataDir
}

const upgraded = (dataDir: string, stopsAfter = Number.POSITIVE_INFINITY, blocks = { executed: 0 }) =>
  upgradeChain({
    dataDir,
    history: "on",
    allowsSharedVolume: false,
    now: () => Date.parse("2030-01-01"),
    isStopped: () => blocks.executed >= stopsAfter,
    onNeed: () => {},
    begin:
      ({ unit }) =>
      () => {
        if (unit === "blocks executed") blocks.executed++
      },
  })

/** Returns what `serac state` says of a chain, without the numbers of rows of the tables, which versions have differently. */
async function stateOf(dataDir: string): Promise<object> {
  const { code, stdout, stderr } = await run(["state", "--data-dir", dataDir, "--json"])
  expect([code, stderr]).toEqual([0, ""])
  const { rows: _, ...state } = parseJson(stdout) as Readonly<Record<string, unknown>>
  return state
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe.each(Object.keys(kinds) as Kind[])("a directory of an older version: %s", (kind) => {
  test("a start names the command that upgrades it, and the command makes the same chain of it", async () => {
    const dataDir = olderDir(kind)
    const starts = [
      [],
      ["serve"],
      ["follow", "http://127.0.0.1:1"],
      ["--bootstrap-ips", "127.0.0.1:1", "--bootstrap-ids", "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg"],
    ]
    for (const words of kind === "fork" ? [[]] : starts) {
      const { code, stdout, stderr } = await run([...words, "--data-dir", dataDir, "--http-port", "0"])
      expect([code, stdout, stderr], words.join(" ")).toEqual([
        1,
        "",
        expect.stringMatching(/^serac: store\.older: .*`serac upgrade`.*schema: 6, known: \d+\)\n$/),
      ])
    }
    const { code, stdout, stderr } = await run(["upgrade", "--data-dir", dataDir])
    const { height, digest } = factsOf(kind).state as { height: string; digest: { lastAccepted: string } }
    expect([code, stdout]).toEqual([0, `the chain was upgraded to schema ${SCHEMA}: height ${height}, ${digest.lastAccepted}\n`])
    expect(stderr).toMatch(
      /^(serac: \S+ has schema 6 and [\d,]+ blocks; the new data file needs up to \d+ MB beside the old one, and [\d,]+ MB are free\n){1,2}$/,
    )
    expect(await stateOf(dataDir)).toEqual(factsOf(kind).state)
    if (kind !== "fork") expect(await run(["state", "--deep", "--data-dir", dataDir])).toMatchObject({ code: 0, stderr: "" })
    expect(readdirSync(dataDir).sort()).toEqual(
      [...new Set(Object.values(kinds[kind]).map((place) => place.split("/")[0]))].sort(),
    )
    const again = await run(["upgrade", "--data-dir", dataDir])
    expect([again.code, again.stdout]).toEqual([
      0,
      `the chain is of this version (schema ${SCHEMA}): height ${height}, ${digest.lastAccepted}\n`,
    ])
  })

  test(`${attempts(60, 20)} kills at any moment leave the old chain or the new one, and the next call continues`, async () => {
    const random = new Random(seed(`moments of killing an upgrade: ${kind}`))
    const whole = olderDir(kind)
    const began = performance.now()
    expect(runBin(built.bin, ["upgrade", "--data-dir", whole]).code).toBe(0)
    const takes = performance.now() - began
    for (let round = 0; round < attempts(60, 20); round++) {
      const dataDir = olderDir(kind)
      for (let kills = random.below(3); kills >= 0; kills--) {
        const child = spawn(process.execPath, [built.bin, "upgrade", "--data-dir", dataDir], { stdio: "ignore" })
        await killedAt(child, random.below(takes))
      }
      const { code, stderr } = runBin(built.bin, ["upgrade", "--data-dir", dataDir])
      expect([code, stderr.includes("bug")], stderr).toEqual([0, false])
      expect(await stateOf(dataDir)).toEqual(factsOf(kind).state)
    }
  }, 600_000)
})

/** Kills a process after some milliseconds, if it has not ended before. */
async function killedAt(child: ChildProcess, milliseconds: number): Promise<void> {
  const timer = setTimeout(() => child.kill("SIGKILL"), milliseconds)
  await once(child, "exit")
  clearTimeout(timer)
}

test("the upgraded private chain has its user, its clock and what waits to be imported, and goes on", async () => {
  const dataDir = olderDir("private")
  await upgraded(dataDir)
  const { users: known, waiting, clock } = factsOf("private").answers!
  const devnet = await startDevnet({ dataDir, port: 0 })
  const ask = async (path: string, method: string, params: object) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
    const answer = await fetch(`${devnet.url}${path}`, { method: "POST", headers: { "content-type": "application/json" }, body })
    return ((await answer.json()) as { result: Record<string, unknown> }).result
  }
  expect(await ask("/ext/keystore", "keystore.listUsers", {})).toEqual(known)
  const address = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"
  expect((await ask("/ext/bc/P", "platform.getUTXOs", { addresses: [address], sourceChain: "X" })).utxos).toEqual(waiting)
  const status = await ask("/ext/dev", "dev.status", {})
  expect(String(status.clock) >= clock).toBe(true)
  await devnet.dev.fund({ address, amount: "3" } as never)
  expect(await ask("/ext/bc/P", "platform.getHeight", {})).toEqual({ height: "30" })
  await devnet.stop()
})

test("an upgrade that is stopped continues, and the directory is as it was until the end", async () => {
  const dataDir = olderDir("private")
  const file = join(chainDir(dataDir), "data.mdb")
  const before = readFileSync(file)
  const first = { executed: 0 }
  await expect(upgraded(dataDir, 10, first)).rejects.toMatchObject({ code: "sync.stopped" })
  expect([first.executed, readFileSync(file).equals(before)]).toEqual([10, true])
  const rest = { executed: 0 }
  await upgraded(dataDir, undefined, rest)
  // The last block that is there is compared again.
  expect(rest.executed).toBe(29 - 10 + 1)
  expect(await stateOf(dataDir)).toEqual(factsOf("private").state)
})

test("what was made of a chain that has gone another way since is made again", async () => {
  const [dataDir, other] = [olderDir("private"), olderDir("joined")]
  await expect(upgraded(other, 3)).rejects.toMatchObject({ code: "sync.stopped" })
  cpSync(join(other, "chain.upgrade"), join(dataDir, "chain.upgrade"), { recursive: true })
  await upgraded(dataDir)
  expect(await stateOf(dataDir)).toEqual(factsOf("private").state)
})

describe("an upgrade is refused, and changes nothing,", () => {
  const refusals: readonly (readonly [string, string, (dataDir: string) => unknown])[] = [
    ["if the disk has too little room", "node.upgrade_room", () => vi.spyOn(systemFiles, "freeBytes").mockReturnValue(1e6)],
    [
      "if L1s have databases of their own",
      "node.older_l1s",
      (dataDir) => {
        mkdirSync(join(dataDir, "l1/one"), { recursive: true })
        writeFileSync(join(dataDir, "l1/one/l1.json"), "{}")
      },
    ],
    [
      "without a chain",
      "store.missing",
      (dataDir) => cpSync(join(dataDir, "chain"), join(dataDir, "moved"), { recursive: true }),
    ],
  ]
  test.each(refusals)("%s", async (what, code, prepare) => {
    const dataDir = olderDir("private")
    const file = join(chainDir(dataDir), "data.mdb")
    const before = readFileSync(file)
    prepare(dataDir)
    const asked = what.startsWith("without") ? dirname(built.bin) : dataDir
    await expect(upgraded(asked)).rejects.toMatchObject({ code })
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(existsSync(join(dataDir, "chain.upgrade"))).toBe(false)
  })

  test("while another process has the directory open", async () => {
    const dataDir = olderDir("private")
    await upgraded(dataDir)
    const server = spawn(process.execPath, [built.bin, "serve", "--data-dir", dataDir, "--http-port", "0", "--json"], {
      stdio: ["ignore", "pipe", "ignore"],
    })
    await once(server.stdout, "data")
    await expect(upgraded(dataDir)).rejects.toMatchObject({ code: "store.locked", data: { pid: server.pid } })
    server.kill("SIGTERM")
    await once(server, "exit")
  })
})

describe("every row and every fact of a recorded chain", () => {
  const NAME = "history-v1.14.2"
  let dataDir: string
  const unlike: readonly string[] = ["schema", "secondPlaces", "readModel", "repair"]
  const contentOf = async () => {
    const store = openStore(chainDir(dataDir))
    const rows: Record<string, string[]> = {}
    for (const table of [...nodeTables, ...tablesBesideChain].filter(isPrimary) as AnyPrimaryTable[]) {
      rows[table.name] = [...store.latest.rows(table)].map(
        ([key, value]) => `${table.key.toText(key)} ${Buffer.from(encode(table.value, value)).toString("hex")}`,
      )
    }
    const names = (Object.keys(metaValues) as (keyof Meta)[]).filter((name) => !unlike.includes(name))
    const meta = Object.fromEntries(names.map((name) => [name, store.getMeta(name)]))
    await store.close()
    return { rows, meta }
  }

  beforeAll(async () => {
    dataDir = mkdtempSync(join(built.folder, "recorded-"))
    const { networkID, flags: ruleFlags } = goldenSource(NAME)
    const record = readRecording<{
      readonly containers: readonly { readonly bytes: string }[]
      readonly facts: { readonly atomicUTXOs: readonly string[] }
    }>(`golden/${NAME}/record.json`)
    const store = openStore(chainDir(dataDir))
    const chain = await chainToReplay(store, {
      networkID,
      ruleFlags,
      genesisText: recordingText(`golden/${NAME}/genesis.json`),
      upgrades: recordingText(`golden/${NAME}/upgrades.json`),
      atomicText: record.facts.atomicUTXOs.join("\n"),
      trustSignatures: true,
      now: 2n ** 40n,
      identity: { kind: "joined" },
    })
    const entries = async function* () {
      for (const [place, { bytes: text }] of record.containers.entries()) yield { text, place }
    }
    await replay(entries(), chain, { now: () => 2 ** 52 })
    const diff = new Diff(store.latest)
    const nodeID = "11".repeat(20) as NodeID
    const id = idOfByte(7)
    diff.put(uptimes, nodeID, { startTime: 1n, upDuration: 2n, lastUpdated: 3n })
    diff.put(users, "22".repeat(32), {
      name: Buffer.from("ada"),
      hash: Buffer.alloc(32, 1),
      salt: Buffer.alloc(16, 2),
      pairs: [],
    } as never)
    diff.put(devTables.identities, "33".repeat(48), { nodeID, secret: Buffer.alloc(32, 3) })
    diff.put(hostedTables.rows, { chainID: id, key: Buffer.from("key") }, Buffer.from("value"))
    diff.put(hostedTables.notes, { chainID: id, note: 1 }, Buffer.from("note"))
    diff.put(wrapperTables.signedBlocks, { height: 900n, slot: 1n }, Buffer.from("signed"))
    diff.put(wrapperTables.preferredBlocks, 900n, Buffer.from("preferred"))
    diff.put(wrapperTables.fetchedBlocks, 990n, Buffer.from("fetched"))
    diff.put(wrapperTables.fetchedRanges, null, [{ first: 990n, last: 990n }])
    store.commit(diff.edits, { meta: { clockOffset: 77n } })
    await store.close()
  })

  test("are there after an upgrade", async () => {
    const before = await contentOf()
    // What the chain does not have by itself is there, too.
    const empty = carriedTables.filter(({ name }) => before.rows[name]?.length === 0)
    expect(empty.map(({ name }) => name)).toEqual(["wrapper", "hostedChains"])
    const store = openStore(chainDir(dataDir))
    store.putMeta({ schema: SCHEMA - 1 })
    await store.close()
    await upgraded(dataDir)
    const after = await contentOf()
    for (const name of Object.keys(before.rows)) expect([name, after.rows[name]]).toEqual([name, before.rows[name]])
    expect(after.meta).toEqual(before.meta)
  })
})
