/** Errors of the operating system at every write, sync, rename and open of a node's data, injected with strace: soak only, where strace is present. */

import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { CODES_BY_ERROR } from "../../src/store/lmdb/failingFiles.fixture.js"
import { buildSerac } from "../cli/serac.js"
import { isSoak, needsSoak } from "../fuzz/random.js"
import { needs } from "../needs.js"
import { run } from "../terminal.js"
import { type RunningNode, startNode } from "./node.js"

const STRACE = ["strace", "-D", "-f", "-qq"] as const
/** The part of the calls at which an error is injected, and the number of parts: `SERAC_PART=2/8` takes every eighth from the second on. */
const [part, parts] = (process.env.SERAC_PART ?? "1/1").split("/").map(Number) as [number, number]

/** A call of LMDB itself in strace's log. The calls of Node have `O_CLOEXEC` and create files with mode 0600. */
const LMDB_OPENS = /openat\(.*(O_CREAT(\|O_CLOEXEC)?, 0664|O_RDONLY|O_DSYNC(\|O_CLOEXEC)?)\) = /

const canInject = !isSoak || spawnSync(STRACE[0], [...STRACE.slice(1), "-o", "/dev/null", "true"]).status === 0

describe("errors of the operating system", isSoak ? needs(canInject, "strace") : needsSoak, () => {
  const folder = mkdtempSync(join(tmpdir(), "serac-injected-"))
  const NAMES = Object.keys(CODES_BY_ERROR)
  const BLOCKS = 5
  /** The digest at every height, of a node that nothing disturbed. */
  const digests: unknown[] = []
  let built: ReturnType<typeof buildSerac>

  // The same chain in every run.
  const flags = (dataDir: string) => [
    "--data-dir",
    dataDir,
    "--start-time",
    "2026-01-01T00:00:00Z",
    "--freeze-time",
    "--log-level",
    "error",
  ]

  beforeAll(() => {
    built = buildSerac()
  })
  afterAll(() => {
    built.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  async function stateOf(dataDir: string): Promise<{ readonly height: string; readonly digest: unknown }> {
    const { code, stdout, stderr } = await run(["state", "--data-dir", dataDir, "--json", "--check"])
    if (code !== 0) throw new Error(stderr)
    return JSON.parse(stdout)
  }

  /** Makes the chain without faults, once, and remembers its digests. */
  async function makeDigests(): Promise<void> {
    const dataDir = join(folder, "undisturbed")
    while (digests.length <= BLOCKS) {
      const node = await startNode(built.bin, flags(dataDir))
      if (digests.length > 0) await node.call("dev.mine", { blocks: 1, filler: true })
      expect(await node.stop()).toBe(0)
      const { height, digest } = await stateOf(dataDir)
      expect(height).toBe(String(digests.length))
      digests.push(digest)
    }
  }

  /** The command that starts a node under strace, which traces such calls on its data. */
  function traced(dataDir: string, call: string, options: readonly string[]): readonly string[] {
    const chain = join(dataDir, "chain")
    const files = [chain, ...["data.mdb", "lock.mdb", "serac.lock", "serac.lock.mdb"].map((name) => join(chain, name))]
    // The names of renamed files are random.
    const paths = call === "rename" ? [] : files.flatMap((file) => ["-P", file])
    return [...STRACE, "-e", `trace=${call}`, ...options, ...paths]
  }

  /** Makes blocks until there are enough, repeating refused ones, or until the node restarts itself. Returns the refusals. */
  async function makeBlocks(node: RunningNode): Promise<{ readonly acknowledged: number; readonly refusals: string[] }> {
    const refusals: string[] = []
    let acknowledged = 0
    while (acknowledged < BLOCKS) {
      const { result, error } = await node.call("dev.mine", { blocks: 1, filler: true })
      if (result) acknowledged = Number(result.height)
      else refusals.push(String(error?.data?.code))
      if (refusals.includes("store.write_failed")) break
      const { height } = (await node.call("platform.getHeight")).result as { height: string }
      expect(Number(height)).toBe(acknowledged)
    }
    return { acknowledged, refusals }
  }

  test.each(["pwrite64", "writev", "fdatasync", "fsync", "openat", "rename"])(
    "at any %s on a node's data: the refusal is named, the node continues without a restart, and a restart finds the last acknowledged digest",
    async (call) => {
      await makeDigests()
      const counted = join(folder, `counted-${call}`)
      const log = join(folder, `${call}.log`)
      const counting = await startNode(built.bin, flags(counted), traced(counted, call, ["-o", log]))
      expect(await makeBlocks(counting)).toEqual({ acknowledged: BLOCKS, refusals: [] })
      expect(await counting.stop()).toBe(0)
      const calls = readFileSync(log, "utf8").split("\n").slice(0, -1)
      expect(calls.length).toBeGreaterThan(0)
      for (const [i, line] of calls.entries()) {
        const n = i + 1
        if (i % parts !== part - 1) continue
        const name = NAMES[n % NAMES.length] as string
        const dataDir = join(folder, `${call}-${n}`)
        const inject = ["-e", `inject=${call}:error=${name}:when=${n}`, "-o", "/dev/null"]
        const [node, refused] = await startNode(built.bin, flags(dataDir), traced(dataDir, call, inject)).then(
          (started) => [started, undefined] as const,
          (error: Error) => [undefined, error.message] as const,
        )
        // A node that cannot start says why; nothing was acknowledged. lmdb 3.5.6 ends the process if its own call fails, although the same
        // call of the store succeeded a moment before (see `prepareDirectory`).
        const endsByItself = LMDB_OPENS.test(line) && refused === "SIGSEGV: "
        if (!node && !endsByItself) expect(refused).toMatch(/^1: (.|\n)*serac: (store|node)\.[^\n]*\n$/)
        const { acknowledged, refusals } = node ? await makeBlocks(node) : { acknowledged: 0, refusals: [] }
        expect([[], [CODES_BY_ERROR[name]], ["store.write_failed"]], `${call} ${n}, ${name}`).toContainEqual(refusals)
        if (node) expect(await node.stop()).toBe(0)
        if (!node) expect(await (await startNode(built.bin, flags(dataDir))).stop()).toBe(0)
        const { height, digest } = await stateOf(dataDir)
        expect([height, digest], `${call} ${n}, ${name}`).toEqual([String(acknowledged), digests[acknowledged]])
        rmSync(dataDir, { recursive: true })
      }
    },
    3_600_000,
  )
})
