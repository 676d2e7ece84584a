import { mkdirSync, readdirSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { Invalid } from "../../core/lib/invalid.js"
import { temporaryDirectory } from "../store.fixture.js"
import { checkDataFile, requireWorkingVolume } from "./childProcess.js"
import { openLmdbStore } from "./openLmdbStore.js"

const refusing = (code: string, data: object) => expect.objectContaining({ constructor: Invalid, code, data })

test("LMDB works on an unknown file system that locks and maps files, and nothing is left of the attempt", () => {
  const dir = temporaryDirectory()
  requireWorkingVolume(dir, "unknown")
  expect(readdirSync(dir)).toEqual([])
})

test("a file system on which opening LMDB ends the process is refused, and nothing is left of the attempt", () => {
  const dir = temporaryDirectory()
  // LMDB cannot open a directory as its table of readers, and fails after it has listed the environment.
  mkdirSync(join(dir, "attempt-lock"))
  expect(() => requireWorkingVolume(dir, "vboxsf", join(dir, "attempt"))).toThrow(
    refusing("store.unsuitable_volume", { dir, type: "vboxsf" }),
  )
  expect(readdirSync(dir)).toEqual([])
})

test("a file that ends the process which reads it is damaged", async () => {
  const dir = join(temporaryDirectory(), "store")
  await openLmdbStore({ dir }).close()
  const path = join(dir, "data.mdb")
  expect(() => checkDataFile(dir)).not.toThrow()
  truncateSync(path, 8192)
  expect(() => checkDataFile(dir)).toThrow(
    refusing("store.damaged", { dir, file: "data.mdb", fault: expect.stringMatching(/^LMDB ended with SIG(BUS|SEGV)$/) }),
  )
  truncateSync(path, 8191)
  expect(() => checkDataFile(dir)).toThrow(refusing("store.damaged", { dir, file: "data.mdb", bytes: 8191 }))
  writeFileSync(path, Buffer.alloc(100_000, 7))
  expect(() => checkDataFile(dir)).toThrow(expect.objectContaining({ code: "store.damaged" }))
})
