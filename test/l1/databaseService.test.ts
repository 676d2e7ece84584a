import { expect, test } from "vitest"
import { idOfName } from "../../src/core/types/id.js"
import { databaseInMemory } from "../../src/hosting/hostedDatabase.js"
import { Database, Error as DatabaseError } from "../../src/vmhost/proto/rpcdb_pb.js"
import { clientOf } from "../../src/vmhost/served.fixture.js"
import { databaseService } from "../../src/vmhost/services/database.js"

const chainID = idOfName("chain")
/** A plugin that is never gone. */
const present = new AbortController().signal
const bytes = (text: string) => Buffer.from(text)
const { get, has, put, delete: remove, writeBatch, compact, close, healthCheck } = Database.method
const { newIteratorWithStartAndPrefix: open, iteratorNext: next, iteratorError, iteratorRelease } = Database.method

test("rows are written, found and deleted; a missing one is no gRPC error", async () => {
  const client = await clientOf(databaseService(databaseInMemory(chainID, 1 << 24), present))
  await client.call(put, { key: bytes("a"), value: bytes("1") })
  await client.call(writeBatch, { puts: [{ key: bytes("b"), value: bytes("2") }], deletes: [{ key: bytes("a") }] })
  expect(await client.call(get, { key: bytes("a") })).toMatchObject({ err: DatabaseError.NOT_FOUND })
  expect(String((await client.call(get, { key: bytes("b") })).value)).toBe("2")
  expect(await client.call(has, { key: bytes("b") })).toMatchObject({ has: true, err: 0 })
  await client.call(remove, { key: bytes("b") })
  expect(await client.call(has, { key: bytes("b") })).toMatchObject({ has: false, err: 0 })
  expect(await client.call(compact, {})).toMatchObject({ err: 0 })
  expect(String((await client.call(healthCheck, {})).details)).toBe("null")
})

test("an iterator answers about 128 KiB at a time, and then an empty list", async () => {
  const database = databaseInMemory(chainID, 1 << 24)
  const puts = Array.from({ length: 300 }, (_, i) => ({
    key: bytes(`k${String(i).padStart(3, "0")}`),
    value: Buffer.alloc(1000, i),
  }))
  database.write({ puts, deletes: [] })
  const client = await clientOf(databaseService(database, present))
  const { id } = await client.call(open, { start: bytes("k010"), prefix: bytes("k") })
  const counts: number[] = []
  const keys: string[] = []
  for (;;) {
    const { data } = await client.call(next, { id })
    counts.push(data.length)
    keys.push(...data.map(({ key }) => String(key)))
    if (data.length === 0) break
  }
  expect(counts).toEqual([131, 131, 28, 0])
  expect(keys).toEqual(puts.slice(10).map(({ key }) => String(key)))
  expect(await client.call(iteratorError, { id })).toMatchObject({ err: 0 })
  await client.call(iteratorRelease, { id })
  await client.call(iteratorRelease, { id: 99n })
  await expect(client.call(next, { id })).rejects.toMatchObject({ status: 2, message: "there is no iterator 1" })
})

test("a plugin has at most 256 iterators open", async () => {
  const client = await clientOf(databaseService(databaseInMemory(chainID, 1 << 24), present))
  for (let i = 0; i < 256; i++) await client.call(open, {})
  await expect(client.call(open, {})).rejects.toMatchObject({ status: 8 })
  await client.call(iteratorRelease, { id: 7n })
  expect(await client.call(open, {})).toMatchObject({ id: 257n })
})

test("the iterators of a plugin that is gone are released, and it opens no new ones", async () => {
  const events: string[] = []
  const database = databaseInMemory(chainID, 1 << 20)
  database.view = () => {
    events.push("opened")
    return { rows: () => [[bytes("k"), Buffer.alloc(200_000)]], release: () => events.push("released") }
  }
  const gone = new AbortController()
  const client = await clientOf(databaseService(database, gone.signal))
  for (let i = 0; i < 2; i++) await client.call(next, { id: (await client.call(open, {})).id })
  gone.abort()
  expect(events).toEqual(["opened", "opened", "released", "released"])
  await client.call(open, {})
  expect(events.length).toBe(4)
  expect(await client.call(get, { key: bytes("k") })).toMatchObject({ err: DatabaseError.CLOSED })
})

test("a database without room refuses a write with the reason", async () => {
  const client = await clientOf(databaseService(databaseInMemory(chainID, 1000), present))
  const write = client.call(put, { key: bytes("a"), value: Buffer.alloc(2000) })
  await expect(write).rejects.toMatchObject({
    status: 2,
    message: "the host cannot write to the database, is its disk full? the database takes more than 1000 bytes",
  })
})

test("after it was closed every call is answered with closed", async () => {
  const client = await clientOf(databaseService(databaseInMemory(chainID, 1 << 20), present))
  expect(await client.call(close, {})).toMatchObject({ err: 0 })
  const key = bytes("a")
  const answers = await Promise.all([
    client.call(get, { key }),
    client.call(has, { key }),
    client.call(put, { key }),
    client.call(remove, { key }),
    client.call(writeBatch, {}),
    client.call(compact, {}),
  ])
  expect(answers.map(({ err }) => err)).toEqual(answers.map(() => DatabaseError.CLOSED))
})
