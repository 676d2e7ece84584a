import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { startDevnet } from "../../src/node/devnet.js"
import { buildSerac, runBin } from "../cli/serac.js"
import { startNode } from "./node.js"

const folder = mkdtempSync(join(tmpdir(), "serac-follow-disk-"))
const disk = mkdtempSync(join(folder, "small-"))
let built: ReturnType<typeof buildSerac>

beforeAll(() => {
  built = buildSerac()
})
afterAll(() => {
  built.remove()
  spawnSync("umount", ["--lazy", disk])
  rmSync(folder, { recursive: true, force: true })
})

const canMount = spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0

describe.skipIf(!canMount)("a copy on a disk that is full (needs the right to mount)", () => {
  test("serves on, is ill and says why, and goes on when there is room", async () => {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=700k", "tmpfs", disk])
    await using devnet = await startDevnet({ accounts: 0 })
    const { height } = await devnet.dev.mine({ blocks: 600, filler: true })
    const dataDir = join(disk, "copy")
    const copy = await startNode(built.bin, ["follow", devnet.url, "--data-dir", dataDir, "--min-free-disk", "0"])
    await vi.waitFor(async () => expect((await copy.health()).checks.database?.error).toContain("store.disk_full"), {
      timeout: 60_000,
    })
    expect((await copy.health()).status).toBe(503)
    const reached = BigInt(String((await copy.call("platform.getHeight")).result?.height))
    expect(reached < height).toBe(true)
    execFileSync("mount", ["-o", "remount,size=64M", disk])
    const current = async () => (await copy.call("platform.getHeight")).result?.height
    await vi.waitFor(async () => expect(await current()).toBe(String(height)), { timeout: 60_000 })
    await vi.waitFor(async () => expect((await copy.health()).status).toBe(200), { timeout: 60_000 })
    expect(await copy.stop()).toBe(0)
    const { code, stdout } = runBin(built.bin, ["state", "--data-dir", dataDir, "--json", "--check"])
    expect([code, JSON.parse(stdout).height]).toEqual([0, String(height)])
  })
})
