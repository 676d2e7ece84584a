import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { type Devnet, startDevnet } from "../../src/devnet/devnet.js"
import { buildSerac } from "../cli/serac.js"
import { attempts, Random, seed } from "../fuzz/random.js"
import { needsMount } from "../mount.js"
import { run } from "../terminal.js"
import { type RunningNode, startNode } from "./node.js"

const folder = mkdtempSync(join(tmpdir(), "serac-copy-"))
let built: ReturnType<typeof buildSerac>
let source: Devnet

beforeAll(async () => {
  built = buildSerac()
  source = await startDevnet({ accounts: 0 })
})
afterAll(async () => {
  await source.stop()
  built.remove()
  rmSync(folder, { recursive: true, force: true })
})

const follow = (dataDir: string, ...flags: string[]) =>
  startNode(built.bin, ["follow", source.url as string, "--data-dir", dataDir, ...flags])
const heightOf = async (node: RunningNode) => Number((await node.call("platform.getHeight")).result?.height)
const sourceHeight = async () => Number((await source.rpc("platform.getHeight")).height)

/** Makes blocks at the source, and moves its clock so that it always has gas. */
async function extend(blocks: number): Promise<void> {
  await source.dev.mine({ blocks, filler: true })
  await source.dev.advanceTime({ seconds: 30 })
}

/** Waits until a copy has every block of its source, and compares the last one. */
async function caughtUp(copy: RunningNode): Promise<void> {
  const height = await sourceHeight()
  while ((await heightOf(copy)) < height) await setTimeout(20)
  const { block } = await source.rpc("platform.getBlockByHeight", { height, encoding: "hex" })
  expect((await copy.call("platform.getBlockByHeight", { height, encoding: "hex" })).result?.block).toBe(block)
}

const kills = attempts(20)

test(`a copy that is killed ${kills} times while it follows continues from its stored blocks`, async () => {
  const random = new Random(seed("moments of killing a copy"))
  const dataDir = join(folder, "killed")
  let seen = 0
  for (let round = 0; round < kills; round++) {
    const copy = await follow(dataDir)
    const height = await heightOf(copy)
    expect(height).toBeGreaterThanOrEqual(seen)
    const killed = setTimeout(random.below(300)).then(() => copy.stop("SIGKILL"))
    await extend(20)
    seen = await heightOf(copy).catch(() => seen)
    await killed
  }
  const copy = await follow(dataDir)
  await caughtUp(copy)
  expect(await copy.stop()).toBe(0)
  expect((await run(["state", "--data-dir", dataDir, "--check"])).code).toBe(0)
})

test("a copy on a full disk still answers, is unhealthy, and continues when there is room", needsMount, async () => {
  const disk = join(folder, "small")
  mkdirSync(disk)
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=700k", "tmpfs", disk])
  onTestFinished(() => void spawnSync("umount", ["--lazy", disk]))
  // Enough blocks for a garbage collection while the copy reads them; the stream must still end with the copy.
  for (let i = 0; i < 20; i++) await extend(20)
  const copy = await follow(join(disk, "c"), "--min-free-disk", "0")
  for (let i = 0; i < 100; i++) {
    await extend(30)
    if ((await copy.health()).checks.database?.error) break
  }
  const { status, checks } = await copy.health()
  expect([status, checks.database?.error]).toEqual([503, expect.stringContaining("store.disk_full")])
  expect(await heightOf(copy)).toBeGreaterThan(0)
  execFileSync("mount", ["-o", "remount,size=30M", disk])
  await caughtUp(copy)
  expect((await copy.health()).status).toBe(200)
  expect(await copy.stop()).toBe(0)
})
