import { execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { closeSync, cpSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from "node:fs"
import { basename, join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { describe, expect, onTestFinished, test } from "vitest"
import { readModelTables } from "../../src/core/readmodel/index.js"
import { Diff } from "../../src/core/state/diff.js"
import { isPrimary, type Table } from "../../src/core/state/table.js"
import { tables } from "../../src/core/state/tables.js"
import { toHexText } from "../../src/core/types/hexText.js"
import { type ID, PRIMARY_NETWORK_ID } from "../../src/core/types/id.js"
import type { Utxo } from "../../src/core/types/utxo.js"
import { openStore } from "../../src/datadir/openStore.js"
import { chainDir } from "../../src/datadir/places.js"
import { startDevnet } from "../../src/devnet/devnet.js"
import type { Store } from "../../src/store/store.js"
import { replay } from "../../src/sync/replay.js"
import { chainToReplay } from "../../src/tools/chainToReplay.js"
import { type ChainCheck, checkChain } from "../../src/tools/check/checkChain.js"
import { repairChain } from "../../src/tools/repair.js"
import { runBin, seracOfFile } from "../cli/serac.js"
import { localNetwork, longChain } from "../fixtures/longChain.js"
import { isSoak } from "../fuzz/random.js"
import { needsMount } from "../mount.js"
import { run as runHere } from "../terminal.js"
import { startNode } from "./node.js"

const built = seracOfFile("check")
const { folder } = built
const blocks = [...longChain(localNetwork(), 30)]

/** Waits a millisecond between two checks, so that the watched process gets the processor. */
const nextLook = () => setTimeout(1)
/** The signals that interrupt a command. All of them have the same handler, so one of them suffices in `npm test`. */
const SIGNALS: readonly NodeJS.Signals[] = isSoak ? ["SIGINT", "SIGTERM", "SIGHUP"] : ["SIGTERM"]
const plainly = (isDeep = false): ChainCheck => ({
  deepIn: isDeep ? mkdtempSync(join(folder, "deep-")) : undefined,
  begin: () => () => {},
})

async function* entries() {
  let place = 0
  for (const { bytes } of blocks) yield { text: toHexText(bytes), place: ++place }
}

let original: string | undefined

/** A data directory with a chain of thirty blocks, changed by hand where `change` does. */
async function replayed(change?: (store: Store) => void): Promise<string> {
  original ??= await replayedOnce()
  const dataDir = mkdtempSync(join(folder, "chain-"))
  cpSync(original, dataDir, { recursive: true })
  if (!change) return dataDir
  const store = openStore(chainDir(dataDir))
  change(store)
  await store.close()
  return dataDir
}

async function replayedOnce(): Promise<string> {
  const dataDir = mkdtempSync(join(folder, "original-"))
  const store = openStore(chainDir(dataDir), { isLazy: true })
  const choice = { now: 0n, genesisBlockID: blocks[0]!.parentID, trustSignatures: true }
  await replay(entries(), await chainToReplay(store, choice), { now: Date.now })
  await store.close()
  return dataDir
}

/** A data directory with a private chain that has overrides. */
async function privateChain(): Promise<string> {
  const dataDir = mkdtempSync(join(folder, "private-"))
  const devnet = await startDevnet({ port: false, dataDir, accounts: 2 })
  const address = devnet.keys[1]!.address
  await devnet.dev.fund({ address, amount: 5_000_000_000n, stakeableLocktime: 4_000_000_000n })
  await devnet.dev.creditAtomic({ address, amount: 7_000_000_000n, sourceChain: "C" })
  await devnet.dev.addValidators({ count: isSoak ? 300 : 2, delegators: 1 })
  await devnet.dev.advanceTime({ seconds: 3_000_000 })
  await devnet.dev.fund({ address, amount: 1_000_000_000n })
  await devnet.stop()
  return dataDir
}

/** The findings of a check; empty for a good chain. */
async function faultIn(dataDir: string, isDeep = false): Promise<unknown> {
  const store = openStore(chainDir(dataDir), { readOnly: true })
  try {
    await checkChain(store, plainly(isDeep))
    return undefined
  } catch (error) {
    return (error as { data?: { fault?: unknown } }).data?.fault ?? error
  } finally {
    await store.close()
  }
}

const edit = (store: Store, change: (diff: Diff) => void) => {
  const diff = new Diff(store.latest)
  change(diff)
  store.commit(diff.edits)
}

const flipped = (bytes: Uint8Array): Uint8Array => bytes.map((byte, i) => (i === bytes.length - 1 ? byte ^ 1 : byte))

describe("serac state --check", () => {
  test("finds nothing in a good chain, deep or not", async () => {
    const dataDir = await replayed()
    expect([await faultIn(dataDir), await faultIn(dataDir, true)]).toEqual([undefined, undefined])
  })

  test("finds a changed bit of a block, a changed bit of a transaction, and a block whose parent is not the block before it", async () => {
    const { id, txs } = blocks[9] as (typeof blocks)[number] & { txs: { id: never }[] }
    const damaged = [
      (store: Store) => edit(store, (diff) => diff.put(tables.blocks, id, flipped(blocks[9]!.bytes))),
      (store: Store) =>
        edit(store, (diff) => {
          const row = diff.get(tables.txs, txs[0]!.id)!
          diff.put(tables.txs, txs[0]!.id, { ...row, bytes: flipped(row.bytes) })
        }),
      (store: Store) => edit(store, (diff) => diff.put(tables.blockIDs, 10n, blocks[10]!.id)),
      (store: Store) => edit(store, (diff) => diff.delete(tables.blocks, id)),
    ]
    const found: unknown[] = []
    for (const change of damaged) found.push(await faultIn(await replayed(change)))
    expect(found).toEqual([
      expect.stringMatching(/^blocks has under \w+ .*, and their hash gives the block \w+, of block 10$/),
      expect.stringMatching(/^txs has under \w+ \{.*, and block 10 gives its bytes, with a height from 10 to \d+, of block 10$/),
      expect.stringMatching(/^blocks has under \w+ .*, and blockIDs under 10 gives another height than 11, of block 10$/),
      expect.stringMatching(/^blocks has under \w+ no row, and blockIDs under 10 gives the bytes of the block, of block 10$/),
    ])
  })

  test("finds tables that contradict each other", async () => {
    const dataDir = await replayed((store) =>
      edit(store, (diff) => {
        const [key, staker] = diff.first(tables.currentStakers)!
        diff.put(tables.currentStakers, key, { ...staker, weight: 1n })
      }),
    )
    expect(await faultIn(dataDir)).toMatch(/^currentValidators has under .* .*, and currentStakers gives \{.*, of block \d+$/)
  })

  test("finds an unspent output that is not the one of its transaction", async () => {
    const dataDir = await replayed((store) =>
      edit(store, (diff) => {
        const [[key, utxo]] = [...diff.rows(tables.utxos)] as [[ID, Utxo]]
        diff.put(tables.utxos, key, { ...utxo, assetID: key })
      }),
    )
    expect(await faultIn(dataDir)).toMatch(
      /^utxos has under \w{64} \{.*\}, and the transaction that made it gives \{.*\}, (of|up to) block \d+$/,
    )
  })

  test("finds a row that executing the blocks does not give", async () => {
    const dataDir = await replayed((store) =>
      edit(store, (diff) => diff.put(tables.supplies, PRIMARY_NETWORK_ID, diff.get(tables.supplies, PRIMARY_NETWORK_ID)! - 1n)),
    )
    expect(await faultIn(dataDir)).toBeUndefined()
    expect(await faultIn(dataDir, true)).toMatch(
      /^supplies has under \w{64} \d+, and replaying the blocks gives \d+, up to block \d+$/,
    )
  })

  test.each([tables.priceDiffs, tables.stakingTerms])("finds a missing row of the record $name", async (table) => {
    const removeFirst = (diff: Diff) =>
      diff.delete(table as Table<unknown, unknown>, diff.first<unknown, unknown>(table as never)?.[0])
    const dataDir = await replayed((store) => edit(store, removeFirst))
    expect(await faultIn(dataDir, true)).toMatch(
      new RegExp(`^${table.name} has under .* no row, and replaying the blocks gives \\{.*, of block [01]$`),
    )
  })

  test("finds nothing in a chain whose L1 sent a message in the block after its own", async () => {
    const dataDir = mkdtempSync(join(folder, "l1-"))
    const devnet = await startDevnet({ port: false, dataDir, accounts: 0 })
    await devnet.dev.setTime({ to: "2030-01-01T00:00:00Z", frozen: true })
    const { subnetID } = await devnet.dev.createL1({ validators: 1 })
    await devnet.dev.registerL1Validator({ subnetID })
    await devnet.stop()
    expect(await faultIn(dataDir, true)).toBeUndefined()
  })

  test("finds a missing row of the read model, and a repair restores it", async () => {
    const good = await privateChain()
    const withRows: string[] = []
    const all = readModelTables.filter(isPrimary).filter(({ name }) => name !== "explorerProgress")
    for (const table of all.filter(({ name }) => isSoak || ["delegations", "txsByAddress", "pastBalances"].includes(name))) {
      const dataDir = mkdtempSync(join(folder, "answers-"))
      cpSync(good, dataDir, { recursive: true })
      const store = openStore(chainDir(dataDir))
      const [row] = store.latest.rows(table as Table<unknown, unknown>)
      if (row) edit(store, (diff) => diff.delete(table as Table<unknown, unknown>, row[0]))
      await store.close()
      if (!row) continue
      withRows.push(table.name)
      // Which groups of owners there are and what a balance was before are known only to those who make all rows again.
      if (["ownerGroups", "pastBalances", "setProgress", "setSegments"].includes(table.name))
        expect(await faultIn(dataDir)).toBeUndefined()
      else expect(await faultIn(dataDir)).toMatch(new RegExp(`^${table.name} has under .* no row, and .* gives `))
      expect(await faultIn(dataDir, true)).toMatch(
        new RegExp(`^${table.name} has under .* no row, and .* gives .*, (of|up to) block \\d+$`),
      )
      await repairChain({ dir: chainDir(dataDir), onPart: () => {}, begin: plainly().begin })
      expect(await faultIn(dataDir, true)).toBeUndefined()
    }
    expect(withRows.length).toBeGreaterThan(isSoak ? 12 : 2)
  }, 600_000)

  test("reports its progress, checks in a thread, and leaves no temporary files, however it ends", async () => {
    const dataDir = await replayed()
    let now = 0
    const shown = await runHere(["state", "--data-dir", dataDir, "--deep"], { columns: 80, now: () => (now += 1000) })
    for (const unit of ["rows", "blocks and transactions", "blocks executed"])
      expect(shown.stderr).toMatch(new RegExp(`of [\\d,]+ ${unit} `))
    const place = mkdtempSync(join(folder, "temporary-"))
    const env = { ...process.env, TMPDIR: place }
    const whole = runBin(built.bin, ["state", "--data-dir", dataDir, "--deep"], { env })
    expect([whole.code, whole.stderr, readdirSync(place)]).toEqual([0, "", []])
    for (const signal of SIGNALS) {
      const child = spawn(process.execPath, [built.bin, "state", "--data-dir", dataDir, "--deep"], { env, stdio: "ignore" })
      const ended = once(child, "exit")
      while (readdirSync(place).length === 0 && child.exitCode === null) await nextLook()
      child.kill(signal)
      await ended
      expect(readdirSync(place)).toEqual([])
    }
  })

  test("a disk that is too small for temporary files is reported, and not as a fault of the chain", needsMount, async () => {
    const dataDir = await replayed()
    const place = mkdtempSync(join(folder, "small-"))
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=200k", "tmpfs", place])
    onTestFinished(() => void spawnSync("umount", ["--lazy", place]))
    const { code, stderr } = runBin(built.bin, ["state", "--data-dir", dataDir, "--deep"], {
      env: { ...process.env, TMPDIR: place },
    })
    expect([code, stderr]).toEqual([75, expect.stringMatching(/^serac: store\.disk_full: [^\n]*\n$/)])
    expect(readdirSync(place)).toEqual([])
  })

  test("executes a private chain again, together with its overrides", async () => {
    const dataDir = await privateChain()
    expect([await faultIn(dataDir), await faultIn(dataDir, true)]).toEqual([undefined, undefined])
  })
})

describe("serac repair", () => {
  const breakIndex = (store: Store) => {
    const [row] = store.latest.rows(tables.utxosByOwner)
    edit(store, (diff) => diff.delete(tables.utxosByOwner as never, row?.[0] as never))
  }
  const repaired = (dataDir: string, onPart: () => void = () => {}) =>
    repairChain({ dir: chainDir(dataDir), onPart, begin: plainly().begin })

  test("rebuilds an index that lacks a row, and the rows of the read model", async () => {
    const dataDir = await replayed((store) => {
      breakIndex(store)
      store.putMeta({ readModel: undefined })
    })
    expect(await faultIn(dataDir)).toMatch(/^utxosByOwner has under .* no row, and utxos gives .*, (of|up to) block \d+$/)
    expect(await repaired(dataDir)).toEqual({ height: 30n })
    expect(await faultIn(dataDir, true)).toBeUndefined()
  })

  test("that was interrupted is reported, and can be run again", async () => {
    const dataDir = await replayed(breakIndex)
    const interrupted = repaired(dataDir, () => {
      throw new Error("interrupted")
    })
    await expect(interrupted).rejects.toThrow("interrupted")
    expect(() => openStore(chainDir(dataDir))).toThrow(expect.objectContaining({ code: "store.half_repaired" }))
    await repaired(dataDir)
    expect(await faultIn(dataDir)).toBeUndefined()
  })
})

describe("serac backup", () => {
  test("prints height and bytes, and the copy has the same rows", async () => {
    const dataDir = await replayed()
    const copy = join(folder, "copies", "one")
    const { code, stdout } = await runHere(["backup", copy, "--data-dir", dataDir, "--json"])
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { dataDir: copy, height: "30", bytes: expect.any(Number), notCopied: [], l1s: [] },
    ])
    const hashOf = async (dir: string) => JSON.parse((await runHere(["state", "--data-dir", dir, "--json"])).stdout).hash
    expect(await hashOf(copy)).toBe(await hashOf(dataDir))
    expect([readdirSync(copy), readdirSync(join(copy, "chain"))]).toEqual([["chain"], expect.arrayContaining(["data.mdb"])])
  })

  test("reports its progress", async () => {
    const dataDir = await replayed()
    let now = 0
    const { stderr } = await runHere(["backup", join(folder, "shown"), "--data-dir", dataDir], {
      columns: 80,
      now: () => (now += 1000),
    })
    for (const unit of ["pages", "pages copied", "rows", "blocks"]) expect(stderr).toMatch(new RegExp(`of [\\d,]+ ${unit} `))
  })

  test.each(SIGNALS)("that %s interrupts leaves nothing", async (signal) => {
    const dataDir = await replayed()
    const place = mkdtempSync(join(folder, "interrupted-"))
    const child = spawn(process.execPath, [built.bin, "backup", join(place, "copy"), "--data-dir", dataDir], { stdio: "ignore" })
    const ended = once(child, "exit")
    while (!existsSync(join(place, "copy")) && child.exitCode === null) await nextLook()
    child.kill(signal)
    const [code, by] = await ended
    // The copy may have been finished before the signal came.
    expect([code, by, readdirSync(place)]).toEqual(by === signal ? [null, signal, []] : [0, null, ["copy"]])
  })

  test("that is killed leaves a part, which a start reports and the next backup removes", async () => {
    const dataDir = await replayed()
    const copy = join(mkdtempSync(join(folder, "killed-")), "copy")
    const isPart = (name: string) => name.endsWith(".part") && existsSync(join(copy, name, "serac.lock"))
    let parts: string[] = []
    while (parts.length === 0) {
      const child = spawn(process.execPath, [built.bin, "backup", copy, "--data-dir", dataDir], { stdio: "ignore" })
      const ended = once(child, "exit")
      while (child.exitCode === null && !(existsSync(copy) && readdirSync(copy).some(isPart))) await nextLook()
      child.kill("SIGKILL")
      await ended
      // The copy may have been finished before.
      parts = readdirSync(copy).filter(isPart)
      if (parts.length === 0) rmSync(copy, { recursive: true })
    }
    const other = join(copy, "chain.0123456789ab.part")
    mkdirSync(other)
    const node = await startNode(built.bin, ["--data-dir", copy, "--log-level", "warn"])
    expect(await node.stop()).toBe(0)
    expect(node.log()).toContain(`"part":"${join(copy, parts[0] as string)}"`)
    rmSync(join(copy, "chain"), { recursive: true })
    expect(runBin(built.bin, ["backup", copy, "--data-dir", dataDir]).code).toBe(0)
    // That of a process which cannot be seen from here stays for a day.
    expect(readdirSync(copy).sort()).toEqual(["chain", basename(other)])
  })

  test("of a chain whose rows contradict each other is refused, and nothing is left", async () => {
    const dataDir = await replayed((store) => edit(store, (diff) => diff.delete(tables.blocks, blocks[9]!.id)))
    const copy = join(folder, "contradictory", "copy")
    const { code, stderr } = await runHere(["backup", copy, "--data-dir", dataDir])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^serac: node\.damaged: [^\n]*blocks has under [^\n]*\n$/)])
    expect(existsSync(join(folder, "contradictory"))).toBe(false)
  })

  test("of a damaged store is refused, and nothing is left", async () => {
    const dataDir = await replayed()
    const path = join(chainDir(dataDir), "data.mdb")
    const handle = openSync(path, "r+")
    writeSync(handle, Buffer.alloc(40 * 4096), 0, 40 * 4096, 2 * 4096)
    closeSync(handle)
    const copy = join(folder, "never", "made")
    const { code, stderr } = await runHere(["backup", copy, "--data-dir", dataDir])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^serac: store\.damaged: [^\n]*\n$/)])
    expect(existsSync(join(folder, "never"))).toBe(false)
  })

  test("onto a disk that is too small is refused, leaves nothing, and can be run again", needsMount, async () => {
    const dataDir = await replayed()
    const disk = mkdtempSync(join(folder, "small-"))
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=100k", "tmpfs", disk])
    onTestFinished(() => void spawnSync("umount", ["--lazy", disk]))
    const copy = join(disk, "b")
    const { code, stderr } = runBin(built.bin, ["backup", copy, "--data-dir", dataDir])
    expect([code, stderr]).toEqual([75, expect.stringMatching(/^serac: store\.disk_full: [^\n]*\n$/)])
    expect(readdirSync(disk)).toEqual([])
    execFileSync("mount", ["-o", "remount,size=8M", disk])
    expect(runBin(built.bin, ["backup", copy, "--data-dir", dataDir])).toMatchObject({
      code: 0,
      stdout: "copied up to height 30\n",
    })
  })
})
