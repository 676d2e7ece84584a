import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { LmdbDatabase } from "./lmdbDatabase.js"
import { MemoryDatabase } from "./memoryDatabase.js"
import { pluginDatabaseContract } from "./pluginDatabase.contract.js"
import { endOfPrefix } from "./pluginDatabase.js"

const folders: string[] = []
const newFolder = () => {
  const dir = mkdtempSync(join(tmpdir(), "serac-plugin-"))
  folders.push(dir)
  return dir
}
afterAll(() => {
  for (const dir of folders) rmSync(dir, { recursive: true, force: true })
})

describe("in memory", () => pluginDatabaseContract(() => new MemoryDatabase(1 << 24)))
describe("on the disk", () => pluginDatabaseContract(() => new LmdbDatabase(newFolder(), 1 << 28)))

test("rows and the note on the disk are there after it was opened again", async () => {
  const dir = newFolder()
  const first = new LmdbDatabase(dir, 1 << 28)
  first.write({ puts: [{ key: Buffer.from("k"), value: Buffer.from("v") }], deletes: [] })
  first.setNote("note", Buffer.from("n"))
  await first.close()
  const second = new LmdbDatabase(dir, 1 << 28)
  expect([second.get(Buffer.from("k")), second.note("note")].map((each) => String(each && Buffer.from(each)))).toEqual(["v", "n"])
  await second.close()
})

test("a write without room changes nothing", async () => {
  const large = { puts: [{ key: Buffer.from("new"), value: Buffer.alloc(1 << 20) }], deletes: [{ key: Buffer.from("old") }] }
  for (const database of [new MemoryDatabase(1 << 19), new LmdbDatabase(newFolder(), 1 << 20)]) {
    database.write({ puts: [{ key: Buffer.from("old"), value: Buffer.from("1") }], deletes: [] })
    expect(() => database.write(large)).toThrow()
    expect(database.get(Buffer.from("old"))?.[0]).toBe(0x31)
    expect(database.get(Buffer.from("new"))).toBeUndefined()
    await database.close()
  }
})

test("a write that the guard of the disk refuses does not begin, and one that fails in LMDB opens it again", async () => {
  const failures: string[] = []
  let refusal: Error | undefined = new Error("the disk is full")
  const guard = {
    require() {
      if (refusal) throw refusal
    },
    failed(error: unknown) {
      failures.push((error as Error).message)
      return error as Error
    },
    close() {},
  }
  const database = new LmdbDatabase(newFolder(), 1 << 28, guard)
  const row = (key: string) => ({ puts: [{ key: Buffer.from(key), value: Buffer.from("1") }], deletes: [] })
  const keys = () => [...database.rows(Buffer.alloc(0), Buffer.alloc(0))].map(([key]) => Buffer.from(key).toString())
  expect(() => database.write(row("a"))).toThrow(refusal)
  expect(() => database.setNote("note", Buffer.from("n"))).toThrow(refusal)
  refusal = undefined
  expect([keys(), database.note("note"), failures]).toEqual([[], undefined, []])
  database.write(row("b"))
  // A value that LMDB does not take fails after the transaction has begun.
  const broken = { puts: [...row("c").puts, { key: Buffer.from("d"), value: 5 as never }], deletes: [] }
  expect(() => database.write(broken)).toThrow()
  expect([keys(), failures.length]).toEqual([["b"], 1])
  const iterator = database.rows(Buffer.alloc(0), Buffer.alloc(0))
  iterator.next()
  expect(() => database.write(row("e"))).toThrow("an iteration is not over")
  iterator.return(undefined)
  database.write(row("e"))
  expect(keys()).toEqual(["b", "e"])
  await database.close()
})

test("a key that the disk cannot hold is refused, and is not there", async () => {
  const database = new LmdbDatabase(newFolder(), 1 << 28)
  for (const key of [Buffer.alloc(0), Buffer.alloc(1979)]) {
    expect(() => database.write({ puts: [{ key, value: Buffer.from("1") }], deletes: [] })).toThrow("a key has")
    expect(database.get(key)).toBeUndefined()
    database.write({ puts: [], deletes: [{ key }] })
  }
  await database.close()
})

test.each([
  ["61", "62"],
  ["61ff", "62"],
  ["ff", undefined],
  ["", undefined],
])("the keys with the prefix %s end before %s", (prefix, end) => {
  const found = endOfPrefix(Buffer.from(prefix, "hex"))
  expect(found && Buffer.from(found).toString("hex")).toBe(end)
})
