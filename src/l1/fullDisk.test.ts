import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { bundle } from "../../test/child.js"

const dir = mkdtempSync(join(tmpdir(), "serac-full-disk-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

describe.runIf(process.platform === "linux")("the database of an L1", () => {
  const program = bundle("src/l1/fullDisk.fixture.ts")
  afterAll(() => rmSync(program, { force: true }))

  test.each([
    [60_000, 1, 300_000],
    [60_000, 3, 300_000],
    [60_000, 2, 13_000],
    [20_000, 200, 500],
  ])("whose file may have %d blocks begins no write of %d rows of %d bytes for which it has no room", (blocks, rows, size) => {
    const path = mkdtempSync(join(dir, "db-"))
    const command = `ulimit -f ${blocks}; exec "$0" "$@"`
    const args = ["-c", command, process.execPath, program, path, String(rows), String(size)]
    const { status, stdout, stderr } = spawnSync("sh", args, { encoding: "utf8", timeout: 60_000 })
    const errors = Array.from({ length: 4 }, () => "store.file_limit")
    expect([status, stderr, JSON.parse(stdout)]).toEqual([0, "", { errors, isWhole: true }])
  })
})
