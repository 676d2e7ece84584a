import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { startDevnet } from "../../src/devnet/devnet.js"
import { run } from "../child.js"
import { buildSerac } from "../cli/serac.js"
import { isSoak } from "../fuzz/random.js"

const folder = mkdtempSync(join(tmpdir(), "serac-limits-"))
const dataDir = join(folder, "chain")
let built: ReturnType<typeof buildSerac>

beforeAll(async () => {
  built = buildSerac()
  const devnet = await startDevnet({ port: false, dataDir })
  await devnet.stop()
})
afterAll(() => {
  built.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** The output and exit code of `serac state` under a limit of the system. */
async function under(limit: string): Promise<readonly string[]> {
  const script = `ulimit ${limit}; "$0" "$@" 2>&1 >/dev/null; echo "exit $?"`
  return run("sh", ["-c", script, process.execPath, built.bin, "state", "--data-dir", dataDir]).rest()
}

/** Limits at which Node, the program and LMDB fail; in soak also those between them. */
const LIMITS = isSoak ? Array.from({ length: 25 }, (_, i) => `-n ${18 + i}`) : ["-n 22", "-n 34"]

test.each(LIMITS)("a process under ulimit %s reads the chain, or says in one line which limit to raise", async (limit) => {
  const output = await under(limit)
  const refusal = [expect.stringMatching(/^serac: .*ulimit -n/), "exit 1"]
  expect([["exit 0"], refusal]).toContainEqual(output)
})
