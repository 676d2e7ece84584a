import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { runBin, seracOfFile } from "../cli/serac.js"
import { needsMount } from "../mount.js"
import { run } from "../terminal.js"
import { type RunningNode, startNode } from "./node.js"

const built = seracOfFile("disk")
const { folder } = built

/** A disk of this size, in memory. */
function smallDisk(size: string): string {
  const place = mkdtempSync(join(folder, "small-"))
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", place])
  onTestFinished(() => void spawnSync("umount", ["--lazy", place]))
  return place
}

/** Makes blocks until one is refused. Returns the refusal, and the last acknowledged height. */
async function fill(node: RunningNode): Promise<{ readonly code: unknown; readonly height: unknown }> {
  let height: unknown = (await node.call("dev.status")).result?.height
  for (let i = 0; i < 200; i++) {
    const { result, error } = await node.call("dev.mine", { blocks: 60, filler: true })
    if (error) return { code: error.data?.code ?? error.message, height }
    height = result?.height
    const travel = await node.call("dev.advanceTime", { seconds: 200 })
    if (travel.error) return { code: travel.error.data?.code ?? travel.error.message, height }
  }
  throw new Error(`nothing was refused up to height ${height}`)
}

const stateOf = async (dataDir: string, ...flags: string[]) => {
  const { code, stdout, stderr } = await run(["state", "--data-dir", dataDir, "--json", ...flags])
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as { readonly height: string; readonly hash: string }
}

describe("a disk that is full", needsMount, () => {
  test("a node continues to answer reads, reports in its health why it cannot write, writes again when there is room, and stops at the first signal", async () => {
    const disk = smallDisk("600k")
    const dataDir = join(disk, "d")
    const node = await startNode(built.bin, ["--data-dir", dataDir, "--min-free-disk", "0"])
    expect((await node.health()).status).toBe(200)
    const { code } = await fill(node)
    expect(code).toBe("store.disk_full")
    const { status, checks } = await node.health()
    expect([status, checks.database?.error, checks.diskspace?.error]).toEqual([
      503,
      expect.stringContaining("store.disk_full"),
      expect.stringContaining("store.disk_full"),
    ])
    // Answers from memory show the state on the disk.
    const { height } = await stateOf(dataDir)
    expect((await node.call("dev.status")).result?.height).toBe(height)
    expect((await node.call("platform.getHeight")).result?.height).toBe(height)
    execFileSync("mount", ["-o", "remount,size=8M", disk])
    // The node recovers without a restart.
    for (let seen = 503; seen !== 200; ) seen = (await node.health()).status
    expect((await node.call("dev.mine", { blocks: 2, filler: true })).result?.blocks).toBe(2)
    expect(await node.stop()).toBe(0)
    expect(BigInt((await stateOf(dataDir, "--check")).height)).toBe(BigInt(height) + 2n)
  })

  test("the health reports too little room before a write fails; one signal then stops the node, and the state is dumped", async () => {
    const disk = smallDisk("600k")
    const dump = join(folder, "full.state")
    const node = await startNode(built.bin, ["--data-dir", join(disk, "d"), "--dump-state", dump])
    const { status, checks } = await node.health()
    expect([status, checks.database?.error]).toEqual([503, undefined])
    expect(checks.diskspace?.error).toMatch(/^the disk has \d+ bytes left, and 4194304 are wanted \(--min-free-disk\)$/)
    expect((await node.call("dev.mine", { blocks: 1, filler: true })).result?.blocks).toBe(1)
    await fill(node)
    expect(await node.stop()).toBe(0)
    const { height } = await stateOf(join(disk, "d"))
    const next = await startNode(built.bin, ["--ephemeral", "--load-state", dump])
    expect((await next.call("dev.status")).result?.height).toBe(height)
    expect(await next.stop()).toBe(0)
  })
})

test("a limit of the file size is named, and the node continues to read and stops", async () => {
  const dataDir = join(folder, "limited")
  const node = await startNode(built.bin, ["--data-dir", dataDir], ["sh", "-c", 'ulimit -f 1500; exec "$0" "$@"'])
  const { code } = await fill(node)
  expect(code).toBe("store.file_limit")
  expect((await node.health()).status).toBe(503)
  const { height } = await stateOf(dataDir)
  expect((await node.call("platform.getHeight")).result?.height).toBe(height)
  expect(await node.stop()).toBe(0)
  expect((await stateOf(dataDir, "--check")).height).toBe(height)
})

test("a directory that is removed under a node is noticed, and the node stops writing", async () => {
  const dataDir = join(folder, "removed")
  mkdirSync(dataDir)
  const first = await startNode(built.bin, ["--data-dir", dataDir])
  rmSync(join(dataDir, "chain"), { recursive: true })
  expect((await first.health()).checks.database?.error).toContain("store.replaced")
  expect((await first.call("dev.mine", { blocks: 1, filler: true })).error?.data?.code).toBe("store.replaced")
  const second = await startNode(built.bin, ["--data-dir", dataDir])
  expect(await first.stop()).toBe(0)
  const third = runBin(built.bin, ["--data-dir", dataDir, "--http-port", "0"])
  expect([third.code, third.stderr]).toEqual([75, expect.stringContaining("store.locked")])
  expect(await second.stop()).toBe(0)
})
