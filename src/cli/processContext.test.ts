import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { withProcessContext } from "./processContext.js"

test("the file exists while the node runs, and is removed afterwards, also after a failure", async () => {
  const folder = mkdtempSync(join(tmpdir(), "serac-process-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, "process.json")
  const context = { uri: "http://127.0.0.1:9650", stakingAddress: "127.0.0.1:9651" }
  await withProcessContext(file, context, async () => {
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ pid: process.pid, ...context })
  })
  expect(existsSync(file)).toBe(false)
  const failure = withProcessContext(file, context, async () => {
    throw new Error("stopped")
  })
  await expect(failure).rejects.toThrow("stopped")
  expect(existsSync(file)).toBe(false)
})
