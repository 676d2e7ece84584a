import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { bundle } from "../../test/child.js"
import { AddressSpace } from "./addressSpace.js"

const limits = (soft: string) =>
  `Max locked memory         8388608              8388608              bytes\nMax address space         ${soft}            unlimited            bytes\n`

test("a store may have a terabyte, unless the process may address less", () => {
  const first = [limits("unlimited"), limits("40000000000"), ""].map((text) => new AddressSpace(text, () => 0).take()?.bytes)
  expect(first).toEqual([2 ** 40, 10_000_000_000, 2 ** 40])
})

test("hundreds of stores have room beside each other, and then no more", () => {
  const space = new AddressSpace("", () => 0)
  const sizes: number[] = []
  for (let each = space.take(); each; each = space.take()) sizes.push(each.bytes)
  expect(sizes.filter((bytes) => bytes >= 2 ** 34).length).toBeGreaterThan(300)
  expect(sizes.reduce((sum, bytes) => sum + bytes)).toBeLessThanOrEqual(2 ** 46)
})

test("released space can be taken again, once", () => {
  const space = new AddressSpace(limits("1000000000"), () => 0)
  const all = space.take(1_000_000_000)
  expect([all?.bytes, space.take(1), space.take()]).toEqual([1_000_000_000, undefined, undefined])
  all?.giveBack()
  all?.giveBack()
  expect([space.take(1_000_000_001), space.take(1_000_000_000)?.bytes]).toEqual([undefined, 1_000_000_000])
})

test("a share may grow while the process has addresses to spare, and a fixed size may not", () => {
  let used = 0
  const space = new AddressSpace(limits("4000000000"), () => used)
  const share = space.take()
  expect([share?.bytes, share?.grow(2_000_000_000), share?.bytes]).toEqual([1_000_000_000, true, 2_000_000_000])
  expect([share?.grow(1_000_000_000), share?.bytes]).toEqual([false, 2_000_000_000])
  share?.giveBack()
  expect([share?.grow(1), space.take(500_000_000)?.grow(1)]).toEqual([false, false])
  used = 3_000_000_000
  expect([space.take()?.grow(1_000_000_000), space.take()?.grow(500_000_000)]).toEqual([false, true])
})

test("space that the process already uses is not given to a store", () => {
  expect(new AddressSpace(limits("1000000000"), () => 600_000_000).take()?.bytes).toBe(100_000_000)
  expect(new AddressSpace(limits("1000000000"), () => 990_000_000).take()).toBeUndefined()
})

test("a process with few addresses left is refused a store, or has one, and never ends by a signal", () => {
  const rounds = bundle("src/store/rounds.fixture.ts")
  const dir = mkdtempSync(join(tmpdir(), "serac-addresses-"))
  onTestFinished(() => [rounds, dir].forEach((path) => void rmSync(path, { recursive: true, force: true })))
  const run = (kilobytes: number, ...args: readonly string[]) =>
    spawnSync("sh", ["-c", `ulimit -v ${kilobytes}; exec "$0" "$@"`, process.execPath, ...args], {
      encoding: "utf8",
      timeout: 60_000,
    })
  for (const kilobytes of [800_000, 1_000_000, 1_200_000]) {
    // With less than that not even Node starts.
    if (run(kilobytes, "-e", "0").status !== 0) continue
    const { signal, stdout } = run(kilobytes, rounds, join(dir, `${kilobytes}`), "1")
    expect(signal).toBeNull()
    expect(["store.too_many_open", "open\n1\nclosed"]).toContain(stdout.trim())
  }
})
