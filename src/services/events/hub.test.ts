import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { fakeNode, localChain } from "../../../test/fixtures/api.js"
import { blockOf } from "../../core/blocks/block.js"
import { Diff } from "../../core/state/diff.js"
import { tables } from "../../core/state/tables.js"
import { EventHub } from "../../jsonrpc/events/hub.js"
import { Contexts } from "../contexts.js"
import { Memo } from "../memo.js"
import { blockFeed } from "./blockFeed.js"

const FIRST = { from: 1n }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function hub() {
  const { store, rules } = localChain()
  const node = fakeNode()
  const contexts = new Contexts({
    dialect: "contract",
    rules,
    node,
    memo: new Memo(1 << 20),
    snapshot: () => store.view(),
  })
  const made = new EventHub({
    feed: blockFeed(node, () => contexts.open()),
    stallMilliseconds: 30_000,
    heartbeatMilliseconds: 15_000,
  })
  const accept = () => {
    const { id, height } = store.latest.get(tables.lastAccepted, null)!
    const block = blockOf({ kind: "BanffStandardBlock", time: 1n, parentID: id, height: height + 1n, txs: [] })
    const diff = new Diff(store.latest)
    diff.put(tables.blocks, block.id, block.bytes)
    diff.put(tables.blockIDs, block.height, block.id)
    diff.put(tables.lastAccepted, null, { id: block.id, height: block.height })
    store.commit(diff.edits)
    node.emit({ kind: "block", block })
    vi.advanceTimersByTime(0)
  }
  return { hub: made, accept }
}

/** A client that takes events while `takes` is true. */
function client() {
  const state = {
    takes: true,
    ids: [] as string[],
    isDestroyed: false,
    drain: () => {},
    runs: 0,
    debtSeconds: undefined as number | undefined,
    /** Bytes that the client has not read, and may leave unread. */
    unread: 0,
    mostUnread: 100_000,
  }
  const sink = {
    write(bytes: Uint8Array) {
      for (const [, id] of Buffer.from(bytes)
        .toString()
        .matchAll(/^id: (\d+)-/gm))
        state.ids.push(id as string)
      return state.takes
    },
    onDrain(listener: () => void) {
      state.drain = listener
    },
    destroy() {
      state.isDestroyed = true
    },
    meter: {
      charge: () => {},
      reserve(bytes: number) {
        if (state.unread + bytes > state.mostUnread) return false
        state.unread += bytes
        return true
      },
      release() {
        state.unread = 0
      },
      get debtSeconds() {
        return state.debtSeconds
      },
      run<T>(task: () => T): T {
        state.runs++
        return task()
      },
    },
  }
  return { state, sink }
}

test("no events are buffered for a slow client: it gets the rest when it reads again", () => {
  const { hub: all, accept } = hub()
  const { state, sink } = client()
  all.add(sink, undefined)
  state.takes = false
  for (let i = 0; i < 5; i++) accept()
  expect(state.ids).toEqual(["1"])
  state.takes = true
  state.drain()
  vi.advanceTimersByTime(0)
  expect(state.ids).toEqual(["1", "2", "3", "4", "5"])
  vi.advanceTimersByTime(60_000)
  expect(state.isDestroyed).toBe(false)
  all.close()
})

test("events count as unread until the client takes them or leaves, and end a stream that may leave no more unread", () => {
  const { hub: all, accept } = hub()
  const { state, sink } = client()
  const leave = all.add(sink, undefined)
  state.takes = false
  accept()
  expect(state.unread).toBeGreaterThan(100)
  state.drain()
  expect(state.unread).toBe(0)
  vi.advanceTimersByTime(0)
  accept()
  expect(state.unread).toBeGreaterThan(100)
  leave()
  expect([state.unread, state.isDestroyed]).toEqual([0, false])
  const poor = client()
  all.add(poor.sink, undefined)
  Object.assign(poor.state, { takes: false, mostUnread: 100 })
  accept()
  expect([poor.state.unread, poor.state.isDestroyed]).toEqual([0, true])
  all.close()
})

test("a client that leaves its buffer full for too long is dropped", () => {
  const { hub: all, accept } = hub()
  const { state, sink } = client()
  all.add(sink, undefined)
  state.takes = false
  accept()
  vi.advanceTimersByTime(29_999)
  expect(state.isDestroyed).toBe(false)
  vi.advanceTimersByTime(1)
  expect(state.isDestroyed).toBe(true)
  all.close()
})

test("a stream that has ended is not written to", () => {
  const { hub: all, accept } = hub()
  const { state, sink } = client()
  const end = all.add(sink, undefined)
  expect(all.size).toBe(1)
  end()
  accept()
  expect({ size: all.size, ids: state.ids }).toEqual({ size: 0, ids: [] })
  all.close()
})

test("all streams end with the hub", () => {
  const { hub: all } = hub()
  const { state, sink } = client()
  all.add(sink, undefined)
  all.close()
  expect({ size: all.size, isDestroyed: state.isDestroyed }).toEqual({ size: 0, isDestroyed: true })
})

test("clients that begin far back take turns, and do not delay the newest block for others", () => {
  const { hub: all, accept } = hub()
  for (let i = 0; i < 100; i++) accept()
  const [first, second, live] = [client(), client(), client()]
  all.add(live.sink, undefined)
  all.add(first.sink, FIRST)
  all.add(second.sink, FIRST)
  accept()
  expect(live.state.ids).toEqual(["101"])
  expect([first, second].map(({ state }) => state.ids.length)).toEqual([32, 32])
  for (let i = 0; i < 10; i++) vi.advanceTimersByTime(1)
  expect([first, second].map(({ state }) => state.ids.length)).toEqual([101, 101])
  all.close()
})

test("a client pays for the events it is sent, and waits while it is in debt", () => {
  const { hub: events, accept } = hub()
  const { state, sink } = client()
  for (let i = 0; i < 40; i++) accept()
  state.debtSeconds = 2
  events.add(sink, FIRST)
  vi.advanceTimersByTime(1999)
  expect([state.ids.length, state.runs]).toEqual([0, 0])
  state.debtSeconds = undefined
  for (let i = 0; i < 2; i++) vi.advanceTimersByTime(1)
  expect([state.ids.length, state.runs]).toEqual([40, 3])
  events.close()
})
