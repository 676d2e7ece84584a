import { mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { Invalid } from "../core/lib/invalid.js"
import { openLmdbStore } from "./openLmdbStore.js"
import { temporaryDirectory } from "./store.fixture.js"
import { requireWorkingVolume } from "./volumeProbe.js"

test("LMDB works on an unknown file system that locks and maps files, and nothing is left of the attempt", async () => {
  const dir = temporaryDirectory()
  requireWorkingVolume({ dir, type: "unknown", readOnly: false })
  expect(readdirSync(dir)).toEqual([])
  await openLmdbStore({ dir }).close()
  const names = readdirSync(dir)
  requireWorkingVolume({ dir, type: "unknown", readOnly: true })
  expect(readdirSync(dir)).toEqual(names)
})

test("a file system on which opening LMDB ends the process is refused, and nothing is left of the attempt", () => {
  const dir = temporaryDirectory()
  // LMDB cannot open a directory as its table of readers, and fails after it has listed the environment.
  mkdirSync(join(dir, "attempt-lock"))
  const probe = { dir, readOnly: false, name: "attempt" }
  expect(() => requireWorkingVolume({ ...probe, type: "vboxsf" })).toThrow(
    expect.objectContaining({ constructor: Invalid, code: "store.unsuitable_volume", data: { dir, type: "vboxsf" } }),
  )
  expect(readdirSync(dir)).toEqual([])
})

test("the usual file systems of local disks are not tried", () => {
  const dir = temporaryDirectory()
  mkdirSync(join(dir, "attempt-lock"))
  for (const type of ["ext4", "xfs", undefined]) requireWorkingVolume({ dir, type, readOnly: false, name: "attempt" })
  expect(readdirSync(dir)).toEqual(["attempt-lock"])
})
