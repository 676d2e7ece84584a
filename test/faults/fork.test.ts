import { execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { startDevnet } from "../../src/devnet/devnet.js"
import { buildSerac } from "../cli/serac.js"
import { attempts, Random, seed } from "../fuzz/random.js"
import { needsMount } from "../mount.js"
import { run } from "../terminal.js"
import { type RunningNode, startNode } from "./node.js"

const folder = mkdtempSync(join(tmpdir(), "serac-fork-"))
const original = join(folder, "original")
let built: ReturnType<typeof buildSerac>

beforeAll(async () => {
  built = buildSerac()
  const node = await startDevnet({ dataDir: original, accounts: 0 })
  await node.dev.mine({ blocks: 20, filler: true })
  await node.stop()
})
afterAll(() => {
  built.remove()
  rmSync(folder, { recursive: true, force: true })
})

const start = (...args: string[]) => startNode(built.bin, args)
const statusOf = async (node: RunningNode) => (await node.call("dev.status")).result
const blockAt = async (node: RunningNode, height: unknown) =>
  (await node.call("platform.getBlockByHeight", { height: Number(height), encoding: "hex" })).result?.block

/** The hash of a chain on the disk, after a check of it. */
async function checkedHash(dataDir: string): Promise<string> {
  const { code, stdout, stderr } = await run(["state", "--data-dir", dataDir, "--json", "--check"])
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout).hash
}

const kills = attempts(20)

test(`a fork that is killed ${kills} times while it makes blocks keeps every confirmed transaction and does not change the real chain`, async () => {
  const random = new Random(seed("moments of killing a fork"))
  const before = await checkedHash(original)
  const dataDir = join(folder, "killed")
  let acknowledged = { height: "20", block: undefined as unknown }
  for (let round = 0; round < kills; round++) {
    const fork = await start(...(round === 0 ? ["--fork", original] : []), "--data-dir", dataDir)
    const status = await statusOf(fork)
    expect(BigInt(status?.height as string)).toBeGreaterThanOrEqual(BigInt(acknowledged.height))
    if (round > 0) expect(await blockAt(fork, acknowledged.height)).toBe(acknowledged.block)
    const moment = random.below(200)
    let killed: Promise<unknown> | undefined
    try {
      for (;;) {
        const { result } = await fork.call("dev.mine", { blocks: 1, filler: true })
        const block = await blockAt(fork, result?.height)
        acknowledged = { height: result?.height as string, block }
        // On a busy machine the first answer may take longer than any moment, so the time counts from there.
        killed ??= setTimeout(moment).then(() => fork.stop("SIGKILL"))
        await fork.call("dev.advanceTime", { seconds: 5 })
      }
    } catch {
      // It was killed.
    }
    await killed
  }
  const last = await start("--data-dir", dataDir)
  expect(await blockAt(last, acknowledged.height)).toBe(acknowledged.block)
  await last.call("dev.reset")
  expect((await statusOf(last))?.height).toBe("20")
  expect(await last.stop()).toBe(0)
  expect(await checkedHash(original)).toBe(before)
})

test(`a fork that is killed ${kills} times while it is created is completed by the next start`, async () => {
  const random = new Random(seed("moments of killing a fork that is made"))
  const source = await start("--data-dir", join(folder, "original-copy"), "--fork", original)
  const ways: readonly (readonly string[])[] = [
    ["--fork", source.url, "--fork-height", "12"],
    ["--fork", original, "--fork-height", "12"],
    ["--fork", original],
  ]
  for (let round = 0; round < kills; round++) {
    const way = ways[round % ways.length] as readonly string[]
    const dataDir = join(folder, `made-${round}`)
    const child = spawn(process.execPath, [built.bin, ...way, "--data-dir", dataDir, "--accounts", "0", "--http-port", "0"])
    const ended = once(child, "close")
    await setTimeout(150 + random.below(500))
    child.kill("SIGKILL")
    await ended
    const fork = await start(...way, "--data-dir", dataDir)
    const height = way.includes("12") ? "12" : "20"
    expect((await statusOf(fork))?.height).toBe(height)
    expect(await blockAt(fork, height)).toBe(await blockAt(source, height))
    expect((await fork.call("dev.mine", { blocks: 2, filler: true })).result?.blocks).toBe(2)
    expect(await fork.stop()).toBe(0)
  }
  expect(await source.stop()).toBe(0)
})

test("a fork on a disk that is full reads on, is ill, and writes again when there is room", needsMount, async () => {
  const disk = join(folder, "small")
  mkdirSync(disk)
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=500k", "tmpfs", disk])
  onTestFinished(() => void spawnSync("umount", ["--lazy", disk]))
  const fork = await start("--fork", original, "--data-dir", join(disk, "f"), "--min-free-disk", "0")
  let height: unknown = "20"
  let code: unknown
  for (let i = 0; i < 200 && code === undefined; i++) {
    const { result, error } = await fork.call("dev.mine", { blocks: 20, filler: true })
    height = result?.height ?? height
    code = error?.data?.code ?? (await fork.call("dev.advanceTime", { seconds: 100 })).error?.data?.code
  }
  expect(code).toBe("store.disk_full")
  expect((await fork.health()).checks.database?.error).toContain("store.disk_full")
  expect((await fork.call("platform.getHeight")).result?.height).toBe((await statusOf(fork))?.height)
  execFileSync("mount", ["-o", "remount,size=8M", disk])
  for (let seen = 503; seen !== 200; ) seen = (await fork.health()).status
  expect((await fork.call("dev.mine", { blocks: 1, filler: true })).result?.blocks).toBe(1)
  expect(await fork.stop()).toBe(0)
})

test("a fork refuses to start if the real chain has changed or is missing, and names it", async () => {
  const below = join(folder, "below")
  cpSync(original, below, { recursive: true })
  const dataDir = join(folder, "over")
  expect(await (await start("--fork", below, "--data-dir", dataDir)).stop()).toBe(0)
  rmSync(below, { recursive: true })
  await expect(start("--data-dir", dataDir)).rejects.toThrow(/store\.missing/)
})
