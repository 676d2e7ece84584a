import { createHash } from "node:crypto"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { printRfc3339 } from "../../core/lib/go/rfc3339.js"
import { startDevnet } from "../../devnet/devnet.js"
import type { DevnetOptions } from "../../devnet/devnetOptions.js"

const START = 1_900_000_000n

/** The directory of a private chain that has stopped at height 2, in which an address owns 5 AVAX. */
let base: string
let address: string

const temporary = () => {
  const dir = mkdtempSync(join(tmpdir(), "serac-fork-"))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** The SHA-256 of every file of a chain, except LMDB's table of readers. */
function filesOf(dir: string): Record<string, string> {
  const names = readdirSync(join(dir, "chain")).filter((name) => name !== "lock.mdb")
  return Object.fromEntries(
    names.map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(dir, "chain", name)))
        .digest("hex"),
    ]),
  )
}

const fork = (options: DevnetOptions = {}) => startDevnet({ port: false, fork: base, ...options })

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), "serac-fork-base-"))
  const net = await startDevnet({ port: false, dataDir: base, startTime: START, freezeTime: true, accounts: 2 })
  address = net.keys[3]!.address
  await net.dev.pay({ from: net.keys[2]!.address, to: address, amount: 5_000_000_000n })
  await net.stop()
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

const balanceOf = async (net: Awaited<ReturnType<typeof fork>>) =>
  (await net.rpc("platform.getBalance", { addresses: [address] })).balance

test("a fork answers for the chain below it, adds blocks of its own, and does not change that chain", async () => {
  const before = filesOf(base)
  const net = await fork()
  expect([await balanceOf(net), (await net.dev.status()).height]).toEqual([100_005_000_000_000n, 2n])
  await net.dev.pay({ from: net.keys[0]!.address, to: address, amount: 1_000_000_000n })
  expect([await balanceOf(net), (await net.dev.status()).height]).toEqual([100_006_000_000_000n, 3n])
  await net.stop()
  expect(filesOf(base)).toEqual(before)
  const again = await fork()
  expect([await balanceOf(again), (await again.dev.status()).height]).toEqual([100_005_000_000_000n, 2n])
  await again.stop()
})

test("the clock of a fork starts at the time of the last block, or at the given time", async () => {
  const net = await fork({ freezeTime: true })
  expect(await net.dev.status()).toMatchObject({ clock: printRfc3339(START), chainTime: printRfc3339(START), frozen: true })
  await net.stop()
  const later = await fork({ freezeTime: true, startTime: START + 60n })
  expect(await later.dev.status()).toMatchObject({ clock: printRfc3339(START + 60n) })
  await later.stop()
  await expect(fork({ startTime: START - 1n })).rejects.toMatchObject({ code: "producer.start_too_early" })
})

test("a fork in a directory continues where it stopped, and a reset returns it to its first block", async () => {
  const dataDir = temporary()
  const first = await fork({ dataDir, freezeTime: true })
  await first.dev.advanceTime({ seconds: 10 })
  await first.dev.pay({ from: first.keys[0]!.address, to: address, amount: 1_000_000_000n })
  const { id } = await first.dev.snapshot()
  await first.dev.pay({ from: first.keys[0]!.address, to: address, amount: 1_000_000_000n })
  await first.dev.revert({ id })
  await first.stop()
  const second = await fork({ dataDir, freezeTime: true })
  expect([await balanceOf(second), await second.dev.status()]).toMatchObject([
    100_006_000_000_000n,
    { height: 3n, clock: printRfc3339(START + 10n), frozen: true },
  ])
  await second.dev.reset()
  expect([await balanceOf(second), await second.dev.status()]).toMatchObject([
    100_005_000_000_000n,
    { height: 2n, clock: printRfc3339(START) },
  ])
  await second.stop()
})

test("a fork is refused of a directory without a chain, of a chain that is written to or has changed, and in a directory with another fork", async () => {
  const dataDir = temporary()
  await expect(fork({ fork: join(dataDir, "none") })).rejects.toMatchObject({ code: "store.missing" })
  await expect(fork({ fork: join(base, "chain", "data.mdb") })).rejects.toMatchObject({ code: expect.stringMatching(/^store\./) })
  await expect(fork({ forkHeight: 3 })).rejects.toMatchObject({ code: "node.future_height" })
  await expect(fork({ networkID: 7 })).rejects.toMatchObject({ code: "node.other_network" })
  await expect(fork({ genesis: "{}" })).rejects.toMatchObject({ code: "node.bad_option", data: { option: "genesis" } })
  const other = temporary()
  const writing = await startDevnet({ port: false, dataDir: other })
  await expect(fork({ fork: other })).rejects.toMatchObject({ code: "node.fork_busy" })
  await writing.stop()
  await (await fork({ dataDir, fork: other })).stop()
  await expect(fork({ dataDir })).rejects.toMatchObject({ code: "node.other_fork" })
  const grown = await startDevnet({ port: false, dataDir: other })
  await grown.dev.pay({ from: grown.keys[0]!.address, to: grown.keys[1]!.address, amount: 1_000_000_000n })
  await grown.stop()
  await expect(fork({ dataDir, fork: other })).rejects.toMatchObject({ code: "node.fork_changed" })
  const renewed = await fork({ dataDir, fork: other, reset: true })
  expect((await renewed.dev.status()).height).toBe(2n)
  await renewed.stop()
})

test("a fork that cannot be made leaves nothing behind, so that its directory can be used for another chain", async () => {
  const dataDir = join(temporary(), "new")
  await expect(fork({ dataDir, fork: join(dataDir, "none") })).rejects.toMatchObject({ code: "store.missing" })
  expect(existsSync(dataDir)).toBe(false)
  await expect(fork({ dataDir, fork: "http://127.0.0.1:1" })).rejects.toMatchObject({ code: "sync.no_answer" })
  expect(existsSync(dataDir)).toBe(false)
})

test("a fork begins at an earlier height by executing the blocks again, in memory or in its directory", async () => {
  const dataDir = temporary()
  for (const options of [{}, { dataDir }]) {
    const net = await fork({ forkHeight: 1, freezeTime: true, ...options })
    expect([await balanceOf(net), await net.dev.status()]).toMatchObject([
      100_000_000_000_000n,
      { height: 1n, clock: printRfc3339(START) },
    ])
    await net.dev.pay({ from: net.keys[0]!.address, to: address, amount: 1_000_000_000n })
    await net.stop()
  }
  const again = await fork({ dataDir })
  expect([await balanceOf(again), (await again.dev.status()).height]).toEqual([100_001_000_000_000n, 2n])
  await again.dev.reset()
  expect([await balanceOf(again), (await again.dev.status()).height]).toEqual([100_000_000_000_000n, 1n])
  await again.stop()
  await expect(fork({ dataDir, forkHeight: 2 })).rejects.toMatchObject({ code: "node.other_fork" })
})

test("a fork continues in its directory without its flag, and a directory with another chain is refused", async () => {
  const dataDir = temporary()
  const first = await fork({ dataDir })
  await first.dev.pay({ from: first.keys[0]!.address, to: address, amount: 1_000_000_000n })
  await first.stop()
  const again = await startDevnet({ port: false, dataDir })
  expect([await balanceOf(again), (await again.dev.status()).height]).toEqual([100_006_000_000_000n, 3n])
  await again.stop()
  await expect(fork({ dataDir: base })).rejects.toMatchObject({ code: "node.not_a_fork" })
})

test("a fork of a URL copies the chain first, and does not need the node afterwards", async () => {
  const dataDir = temporary()
  const source = await startDevnet({ dataDir: temporary(), startTime: START, freezeTime: true, accounts: 2 })
  expect(source.keys[3]!.address).toBe(address)
  await source.dev.pay({ from: source.keys[2]!.address, to: address, amount: 5_000_000_000n })
  await source.dev.pay({ from: source.keys[2]!.address, to: address, amount: 5_000_000_000n })
  await expect(fork({ fork: source.url })).rejects.toMatchObject({
    code: "node.fork_needs_directory",
    message: `the chain of a URL is copied into the fork's directory first: name a data directory for it, because a chain in memory has none (url: ${source.url})`,
  })
  await expect(fork({ fork: source.url, dataDir, forkHeight: 4 })).rejects.toMatchObject({ code: "node.future_height" })
  const net = await fork({ fork: source.url, dataDir, forkHeight: 2, freezeTime: true })
  expect([await balanceOf(net), await net.dev.status()]).toMatchObject([
    100_005_000_000_000n,
    { height: 2n, clock: printRfc3339(START) },
  ])
  await net.stop()
  await source.stop()
  const again = await fork({ fork: source.url, dataDir })
  expect((await again.dev.status()).height).toBe(2n)
  await again.stop()
  await expect(fork({ fork: source.url, dataDir: temporary() })).rejects.toMatchObject({ code: "sync.no_answer" })
})

test("the state of a fork can be dumped and loaded into another fork of the same chain, which a reset brings back to its first block", async () => {
  const net = await fork({ freezeTime: true })
  await net.dev.pay({ from: net.keys[0]!.address, to: address, amount: 1_000_000_000n })
  const { state } = await net.dev.dumpState()
  const balance = await balanceOf(net)
  await net.stop()
  const other = await fork({ dataDir: temporary(), freezeTime: true })
  const before = await balanceOf(other)
  await other.dev.loadState({ state })
  expect([await balanceOf(other), (await other.dev.status()).height]).toEqual([balance, 3n])
  await other.dev.reset()
  expect([await balanceOf(other), (await other.dev.status()).height]).toEqual([before, 2n])
  await other.stop()
})

test("AVAX is created where the well-known key owns none, and counts as an override; then that key can pay for validators", async () => {
  const poor = temporary()
  const rich = await startDevnet({ port: false, dataDir: poor, startTime: START, freezeTime: true, accounts: 0 })
  const { balance } = await rich.rpc("platform.getBalance", { addresses: [rich.keys[0]!.address] })
  const spendable = balance - 1_000_000_000n
  for (let left = spendable; left > 0n; left = 0n) await rich.dev.pay({ from: rich.keys[0]!.address, to: address, amount: left })
  await rich.stop()
  await using net = await fork({ fork: poor, freezeTime: true })
  const owner = net.keys[0]!.address
  const { txID } = await net.dev.fund({ address: owner, amount: 5_000_000_000_000n })
  expect([txID, (await net.dev.status()).overrides]).toEqual([undefined, 1])
  const { nodeIDs } = await net.dev.addValidators({ count: 1, duration: 14 * 86_400 })
  const { validators } = await net.rpc("platform.getCurrentValidators", { nodeIDs })
  expect(validators.length).toBe(1)
})
