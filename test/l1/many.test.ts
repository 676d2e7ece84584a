import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { type Devnet, startDevnet } from "../../src/devnet/devnet.js"
import { attempts } from "../fuzz/random.js"
import { eth } from "./evm.js"
import { needsPlugin, pluginDir } from "./plugins.js"

/** Number of open files of this process. */
const openFiles = () => readdirSync("/proc/self/fd").length

/** The directory for temporary files of this node and its plugins. */
const temporary = mkdtempSync(join(tmpdir(), "serac-many-"))
vi.stubEnv("TMPDIR", temporary)
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(temporary, { recursive: true, force: true })
})
const leftovers = () => readdirSync(temporary).length

const isLinux = process.platform === "linux"

describe("many L1s", needsPlugin("subnet-evm"), () => {
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startDevnet({ pluginDir })
  })
  afterAll(() => devnet?.stop())

  test("ten L1s run at once, each with its own chain ID", async () => {
    const l1s = []
    for (let i = 0; i < 10; i++) l1s.push(await devnet.createL1({ vm: "subnet-evm" }))
    const ids = await Promise.all(l1s.map(({ rpcUrl }) => eth(rpcUrl, "eth_chainId")))
    expect(ids.map(Number)).toEqual(Array.from({ length: 10 }, (_, i) => 99_001 + i))
    for (const { name } of l1s) await devnet.dev.removeL1({ name })
  })

  const rounds = attempts(50)
  test(`creating and removing ${rounds} in a row leaves no process, file, folder or memory`, {
    timeout: 60_000 + rounds * 5000,
  }, async () => {
    const round = async () => {
      const { name, rpcUrl, pid } = await devnet.createL1({ vm: "subnet-evm" })
      expect(await eth(rpcUrl, "eth_blockNumber")).toBe("0x0")
      await devnet.dev.removeL1({ name })
      expect(() => process.kill(pid as number, 0)).toThrow()
    }
    await round()
    const before = isLinux ? { files: openFiles(), folders: leftovers(), memory: process.memoryUsage.rss() } : undefined
    for (let i = 0; i < rounds; i++) await round()
    expect(await devnet.dev.listL1s()).toEqual({ l1s: [] })
    if (before) {
      expect(openFiles()).toBeLessThanOrEqual(before.files + 3)
      expect(leftovers()).toBe(before.folders)
      // Garbage may not be collected yet; an L1 that stayed in memory would take several MB.
      expect(process.memoryUsage.rss() - before.memory).toBeLessThan(100 << 20)
    }
  })
})
