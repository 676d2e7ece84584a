import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test, vi } from "vitest"
import { bundle, run } from "../../test/child.js"

/** A process that has ended may be listed until its parent notices. */
const isRunning = (pid: string) => existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ")

test("a node of AvalancheGo ends when the process that started it is killed", async () => {
  const dir = mkdtempSync(join(tmpdir(), "serac-node-process-"))
  const program = bundle("src/launcher/nodeProcess.fixture.ts")
  onTestFinished(() => {
    rmSync(dir, { recursive: true, force: true })
    rmSync(program)
  })
  const parent = run(process.execPath, [program, dir, "sleep", "600"])
  const pid = (await parent.lines.next()).value as string
  expect(isRunning(pid)).toBe(true)
  parent.process.kill("SIGKILL")
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 20_000, interval: 20 })
})
