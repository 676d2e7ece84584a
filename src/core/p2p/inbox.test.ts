import { expect, test } from "vitest"
import { defaultInboxLimits, Inbox } from "./inbox.js"

test("a connection that causes much work waits for those that cause little, and is forgiven after some seconds", () => {
  const inbox = new Inbox()
  const put = (connection: number) => inbox.put(connection, Uint8Array.of(connection), 0)
  for (let i = 0; i < 3; i++) put(1)
  put(2)
  expect(inbox.take(0)?.connection).toBe(1)
  inbox.spent(1, 50, 0)
  expect(inbox.take(0)?.connection).toBe(2)
  inbox.spent(2, 1, 0)
  put(2)
  expect(inbox.take(0)?.connection).toBe(2)
  inbox.spent(2, 10, 10_000)
  put(2)
  expect(inbox.take(10_000)?.connection).toBe(1)
  inbox.remove(1)
  expect([inbox.take(10_000)?.connection, inbox.take(10_000), inbox.hasNext(10_000)]).toEqual([2, undefined, false])
})

test("other limits make a connection full earlier", () => {
  const room = { shared: 100, sharedPerPeer: 5, forValidators: 0 }
  const inbox = new Inbox({ ...defaultInboxLimits, maxMessages: 2, room })
  inbox.put(1, new Uint8Array(1), 0)
  inbox.put(2, new Uint8Array(5), 0)
  expect([inbox.isFull(1), inbox.isFull(2)]).toEqual([false, true])
  inbox.put(1, new Uint8Array(1), 0)
  expect(inbox.isFull(1)).toBe(true)
})

test("a connection is full at 1024 messages or 2 MiB", () => {
  const inbox = new Inbox()
  for (let i = 0; i < 1024; i++) {
    expect(inbox.isFull(1)).toBe(false)
    inbox.put(1, new Uint8Array(1), 0)
  }
  inbox.put(2, new Uint8Array(2 * 1024 * 1024), 0)
  expect([inbox.isFull(1), inbox.isFull(2), inbox.isFull(3)]).toEqual([true, true, false])
})

test("connections without stake wait while all shared room is taken, and those with stake do not", () => {
  const limits = { ...defaultInboxLimits, maxMessages: 100, room: { shared: 10, sharedPerPeer: 8, forValidators: 100 } }
  const inbox = new Inbox(limits, (connection) => (connection === 3 ? 0.5 : 0))
  inbox.put(1, new Uint8Array(7), 0)
  inbox.put(2, new Uint8Array(3), 0)
  inbox.put(3, new Uint8Array(20), 0)
  expect([1, 2, 3, 4].map((connection) => inbox.isFull(connection))).toEqual([true, true, false, true])
  inbox.take(0)
  expect([1, 2, 3, 4].map((connection) => inbox.isFull(connection))).toEqual([false, false, false, false])
})
