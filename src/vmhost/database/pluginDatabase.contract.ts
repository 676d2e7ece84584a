import { expect, test } from "vitest"
import type { PluginDatabase } from "./pluginDatabase.js"

const bytes = (text: string) => Buffer.from(text, "latin1")
const text = (value: Uint8Array | undefined) => value && Buffer.from(value).toString("latin1")

/** Writes rows `key=value`, and deletes keys. */
function write(database: PluginDatabase, rows: readonly string[], deleted: readonly string[] = []): void {
  const puts = rows.map((row) => row.split("=")).map(([key = "", value = ""]) => ({ key: bytes(key), value: bytes(value) }))
  database.write({ puts, deletes: deleted.map((key) => ({ key: bytes(key) })) })
}

function rowsOf(database: PluginDatabase, start: string, prefix: string): string[] {
  const rows: string[] = []
  const iterator = database.rows(bytes(start), bytes(prefix))
  for (let next = iterator.next(); !next.done; next = iterator.next()) rows.push(`${text(next.value[0])}=${text(next.value[1])}`)
  return rows
}

/** What every database of a plugin does. */
export function pluginDatabaseContract(open: () => PluginDatabase): void {
  test("a key has the value that was last written, until it is deleted", async () => {
    const database = open()
    expect(database.get(bytes("a"))).toBeUndefined()
    write(database, ["a=1", "b=2", "empty="])
    write(database, ["a=3"], ["b", "never"])
    expect(["a", "b", "empty"].map((key) => text(database.get(bytes(key))))).toEqual(["3", undefined, ""])
    await database.close()
  })

  test("rows come in the order of their bytes, from a start on, with a prefix", async () => {
    const database = open()
    write(database, ["b=1", "a\xff=2", "a=3", "a\x00=4", "c=5", "a\xff\xff=6"])
    expect(rowsOf(database, "", "")).toEqual(["a=3", "a\x00=4", "a\xff=2", "a\xff\xff=6", "b=1", "c=5"])
    expect(rowsOf(database, "", "a")).toEqual(["a=3", "a\x00=4", "a\xff=2", "a\xff\xff=6"])
    expect(rowsOf(database, "a\x01", "a")).toEqual(["a\xff=2", "a\xff\xff=6"])
    expect(rowsOf(database, "b", "")).toEqual(["b=1", "c=5"])
    expect(rowsOf(database, "b", "a")).toEqual([])
    expect(rowsOf(database, "", "\xff")).toEqual([])
    await database.close()
  })

  test("an iteration shows the rows of the moment at which it began", async () => {
    const database = open()
    write(database, ["a=1", "b=2", "c=3"])
    const iterator = database.rows(bytes(""), bytes(""))
    const first = iterator.next()
    write(database, ["b=changed", "bb=new"], ["c"])
    const rest = [iterator.next(), iterator.next(), iterator.next()]
    expect([first, ...rest].map(({ value }) => value && `${text(value[0])}=${text(value[1])}`)).toEqual([
      "a=1",
      "b=2",
      "c=3",
      undefined,
    ])
    await database.close()
  })

  test("the note of the host is no row", async () => {
    const database = open()
    expect(database.note("note")).toBeUndefined()
    database.setNote("note", bytes("noted"))
    write(database, ["a=1"])
    expect([text(database.note("note")), database.note("revert")]).toEqual(["noted", undefined])
    expect(rowsOf(database, "", "")).toEqual(["a=1"])
    database.setNote("note", undefined)
    expect(database.note("note")).toBeUndefined()
    await database.close()
  })

  test("the size grows with the rows", async () => {
    const database = open()
    const before = database.size()
    database.write({ puts: [{ key: bytes("k"), value: Buffer.alloc(100_000) }], deletes: [] })
    expect(database.size()).toBeGreaterThan(before + 90_000)
    await database.close()
  })
}
