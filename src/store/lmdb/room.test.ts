import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { bundle } from "../../../test/child.js"
import { freeAddresses, mapSizeFor, requireAddresses } from "./room.js"

const limits = (soft: string) =>
  `Max locked memory         8388608              8388608              bytes\nMax address space         ${soft}            unlimited            bytes\n`
const status = (kilobytes: number) => `Name:   node\nVmSize:\t ${kilobytes} kB\n`

test("a store has room for 64 GiB at first, unless the process may address less, and none if too little is left", () => {
  expect([freeAddresses(limits("unlimited"), ""), freeAddresses("", ""), freeAddresses(limits("4000000"), status(1000))]).toEqual(
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 4_000_000 - 1_024_000],
  )
  expect([mapSizeFor("/data", Number.POSITIVE_INFINITY), mapSizeFor("/data", 40_000_000_000)]).toEqual([2 ** 36, 10_000_000_000])
  expect(() => mapSizeFor("/data", 2 ** 28 - 1)).toThrow(expect.objectContaining({ code: "store.too_many_open" }))
})

test("a file may outgrow its addresses if the process has others, unless its size is fixed", () => {
  expect(() => requireAddresses({ dir: "/data", mapSize: 2 ** 36, isFixed: false }, 2 ** 40)).not.toThrow()
  expect(() => requireAddresses({ dir: "/data", mapSize: 2 ** 36, isFixed: true }, 2 ** 36)).not.toThrow()
  expect(() => requireAddresses({ dir: "/data", mapSize: 2 ** 36, isFixed: true }, 2 ** 36 + 1)).toThrow(
    expect.objectContaining({ code: "store.full", data: { dir: "/data", maxBytes: 2 ** 36 } }),
  )
})

test("a process with few addresses left is refused a store, or has one, and never ends by a signal", () => {
  const rounds = bundle("src/store/lmdb/rounds.fixture.ts")
  const dir = mkdtempSync(join(tmpdir(), "serac-addresses-"))
  onTestFinished(() => [rounds, dir].forEach((path) => void rmSync(path, { recursive: true, force: true })))
  const run = (kilobytes: number, ...args: readonly string[]) =>
    spawnSync("sh", ["-c", `ulimit -v ${kilobytes}; exec "$0" "$@"`, process.execPath, ...args], {
      encoding: "utf8",
      timeout: 60_000,
    })
  // With less than that Node itself ends, when it starts or while it loads a program. How much that is depends on its version.
  const isEnough = (kilobytes: number) => run(kilobytes, "-e", "require('lmdb'); Buffer.alloc(2 ** 25)").status === 0
  const tried = [800_000, 1_000_000, 1_200_000, 1_400_000, 1_500_000, 1_600_000, 2_000_000].filter(isEnough)
  const results = tried.map((kilobytes) => {
    const { signal, stdout } = run(kilobytes, rounds, join(dir, `${kilobytes}`), "1")
    expect(signal).toBeNull()
    return stdout.trim()
  })
  expect(new Set(results)).toEqual(new Set(["store.too_many_open", "open\n1\nclosed"]))
})
