import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, expect, test } from "vitest"
import { refusal } from "../../test/refusal.js"
import { readBoundedFile } from "./readBoundedFile.js"

const folder = mkdtempSync(join(tmpdir(), "serac-bounded-"))
afterAll(() => rmSync(folder, { recursive: true }))

const fileWith = (bytes: Uint8Array): string => {
  const path = join(folder, "file")
  writeFileSync(path, bytes)
  return path
}

test("a file is read whole up to the limit, and refused beyond it", () => {
  const bytes = Buffer.from(Array.from({ length: 3 << 20 }, (_, i) => i % 251))
  expect(Buffer.from(readBoundedFile(fileWith(bytes), bytes.length)).equals(bytes)).toBe(true)
  const path = fileWith(bytes)
  expect(refusal(() => readBoundedFile(path, bytes.length - 1))).toEqual({
    code: "files.too_large",
    data: { file: path, limit: bytes.length - 1 },
  })
  expect(readBoundedFile(fileWith(new Uint8Array(0)), 10)).toEqual(new Uint8Array(0))
})

test("a device without end is refused", () => {
  expect(refusal(() => readBoundedFile("/dev/zero", 5 << 20)).code).toBe("files.too_large")
})

test("gzip is unpacked up to the limit, and beyond 64 MiB up to 16 times its size: a few bytes do not become many", () => {
  expect(Buffer.from(readBoundedFile(fileWith(gzipSync("hello")), 25)).toString()).toBe("hello")
  const bomb = fileWith(gzipSync(new Uint8Array(65 << 20)))
  const refusedAt = (limit: number) => refusal(() => readBoundedFile(bomb, limit))
  expect(refusedAt(1 << 20)).toEqual({ code: "files.too_large", data: { file: bomb, limit: 1 << 20 } })
  expect(refusedAt(1 << 30)).toEqual({ code: "files.too_large", data: { file: bomb, limit: 64 << 20 } })
})

test("errors of the file system and of zlib are passed on", () => {
  expect(() => readBoundedFile(join(folder, "missing"), 10)).toThrow("ENOENT")
  expect(() => readBoundedFile(fileWith(Uint8Array.of(0x1f, 0x8b, 1, 2)), 10)).toThrow("unknown compression method")
})
