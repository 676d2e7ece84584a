import { expect, test } from "vitest"
import { attempts, Random, seed } from "../../../test/fuzz/random.js"
import { MemoryDatabase } from "./memoryDatabase.js"
import { pluginDatabaseContract } from "./pluginDatabase.contract.js"
import type { NoteName, PluginDatabase } from "./pluginDatabase.js"
import { MarkRoom, RevertibleDatabase } from "./revertibleDatabase.js"

const revertible = (rows: PluginDatabase) => new RevertibleDatabase(rows, new MarkRoom(Number.POSITIVE_INFINITY, () => {}))
const fresh = () => {
  const rows = new MemoryDatabase(1 << 26)
  return { rows, database: revertible(rows) }
}
const bytes = (text: string) => Buffer.from(text, "latin1")
const put = (database: PluginDatabase, key: string, value: string) =>
  database.write({ puts: [{ key: bytes(key), value: bytes(value) }], deletes: [] })

/** All rows and the notes about the chain, as text. */
function contentOf(database: PluginDatabase): string[] {
  const rows: string[] = []
  const iterator = database.rows(bytes(""), bytes(""))
  for (let next = iterator.next(); !next.done; next = iterator.next()) {
    rows.push(next.value.map((each) => Buffer.from(each).toString("latin1")).join("="))
  }
  const noteOf = (name: NoteName) => Buffer.from(database.note(name) ?? []).toString("latin1")
  return [...rows, `position ${noteOf("note")}${noteOf("relayed")}`]
}

pluginDatabaseContract(() => fresh().database)

test(`random writes, marks and reverts end as in a model, ${attempts(200)} times`, () => {
  const random = new Random(seed("reverts of a plugin's database"))
  for (let round = 0; round < attempts(200); round++) {
    const { database } = fresh()
    let marks: { number: number; content: string[] }[] = []
    for (let step = 1; step < 100; step++) {
      const chance = random.below(10)
      if (chance === 0) {
        database.mark(step)
        marks.push({ number: step, content: contentOf(database) })
      } else if (chance === 1 && marks.length > 0) {
        const { number, content } = random.pick(marks)
        database.planRevert(number, "r")
        expect(database.endRevert("r")).toBe(true)
        database.rewindTo(number)
        marks = marks.filter((each) => each.number <= number)
        expect(contentOf(database)).toEqual(content)
      } else if (chance === 2) {
        marks = marks.filter(() => random.below(3) > 0)
        database.keepMarks(marks.map(({ number }) => number))
      } else if (chance === 3) database.setNote(random.pick(["note", "relayed"]), bytes(String(step)))
      else {
        const keys = Array.from({ length: random.below(4) }, () => String(random.below(8)))
        const [deleted, ...others] = [...new Set(keys)]
        const puts = others.map((key) => ({ key: bytes(key), value: bytes(String(step)) }))
        database.write({ puts, deletes: deleted === undefined ? [] : [{ key: bytes(deleted) }] })
      }
    }
  }
})

test("a plan that the P-Chain did not carry out is forgotten, and one that it did is finished by another process", () => {
  const { rows, database } = fresh()
  put(database, "a", "1")
  database.mark(1)
  put(database, "a", "2")
  put(database, "b", "3")
  database.planRevert(1, "first")
  expect(revertible(rows).endRevert("another")).toBe(false)
  expect(revertible(rows).endRevert("first")).toBe(false)
  expect(contentOf(rows)).toEqual(["a=2", "b=3", "position "])
  database.planRevert(1, "second")
  expect(revertible(rows).endRevert("second")).toBe(true)
  expect(contentOf(rows)).toEqual(["a=1", "position "])
  expect(revertible(rows).endRevert("second")).toBe(false)
})

test("a write that fails changes neither the rows nor what a revert puts back", () => {
  const database = revertible(new MemoryDatabase(1000))
  put(database, "a", "1")
  database.mark(1)
  expect(() => put(database, "a", "x".repeat(2000))).toThrow()
  put(database, "a", "2")
  database.planRevert(1, "r")
  database.endRevert("r")
  expect(contentOf(database)).toEqual(["a=1", "position "])
})

test("the memory of marks is that of the old value of each row that changed, once, and is given back", () => {
  const room = new MarkRoom(Number.POSITIVE_INFINITY, () => {})
  const database = new RevertibleDatabase(new MemoryDatabase(1 << 20), room)
  const row = (bytes: number) => 300 + bytes
  put(database, "a", "12345")
  expect(room.bytes).toBe(0)
  database.mark(1)
  put(database, "a", "x")
  put(database, "a", "y")
  put(database, "new", "z")
  expect(room.bytes).toBe(row(6) + row(3))
  database.mark(2)
  put(database, "a", "w")
  expect(room.bytes).toBe(row(6) + row(3) + row(2))
  database.keepMarks([1])
  expect(room.bytes).toBe(row(6) + row(3))
  database.rewindTo(1)
  expect(room.bytes).toBe(0)
  put(database, "a", "v")
  database.mark(3)
  put(database, "b", "")
  database.keepMarks([3])
  expect(room.bytes).toBe(row(1))
  database.keepMarks([])
  expect(room.bytes).toBe(0)
})
