import { expect, test } from "vitest"
import { fakeNode, localChain } from "../../test/fixtures/api.js"
import { Diff } from "../core/state/diff.js"
import { tables } from "../core/state/tables.js"
import type { ID } from "../core/types/id.js"
import { AnswerCache, DEFAULT_CACHE_BYTES } from "./cache/answerCache.js"
import { Contexts } from "./contexts.js"

function contexts() {
  const { store, rules } = localChain()
  const node = fakeNode()
  let taken = 0
  let given = 0
  const all = new Contexts({
    dialect: "contract",
    rules,
    node,
    cache: new AnswerCache(DEFAULT_CACHE_BYTES),
    snapshot() {
      taken++
      const view = store.view()
      return { ...bound(view), release: () => given++ }
    },
  })
  const accept = (height: bigint) => {
    const diff = new Diff(store.latest)
    diff.put(tables.lastAccepted, null, { id: "ab".repeat(32) as ID, height })
    store.commit(diff.edits)
    node.emit({ kind: "override" })
  }
  return { all, accept, counts: () => ({ taken, given }) }
}

function bound(view: ReturnType<ReturnType<typeof localChain>["store"]["view"]>) {
  const hasIndexes = true as const
  return {
    hasIndexes,
    get: view.get.bind(view),
    rows: view.rows.bind(view),
    values: view.values.bind(view),
    first: view.first.bind(view),
  }
}

test("calls between two changes share one snapshot, which is taken for the first of them", () => {
  const { all, counts } = contexts()
  const first = all.open()
  const second = all.open()
  expect(counts()).toEqual({ taken: 1, given: 0 })
  expect(first.context.height).toBe(0n)
  expect(second.context.view).toBe(first.context.view)
  expect(counts()).toEqual({ taken: 1, given: 0 })
})

test("a call reads one height, and the snapshot is released when the last call has ended", () => {
  const { all, accept, counts } = contexts()
  const before = all.open()
  expect(before.context.height).toBe(0n)
  accept(7n)
  const after = all.open()
  expect(after.context.height).toBe(7n)
  expect(before.context.view.get(tables.lastAccepted, null)?.height).toBe(0n)
  expect(counts()).toEqual({ taken: 2, given: 0 })
  before.release()
  expect(counts()).toEqual({ taken: 2, given: 1 })
  after.release()
  all.close()
  expect(counts()).toEqual({ taken: 2, given: 2 })
})

test("a call that reads first after a block sees the state in which it began", () => {
  const { all, accept } = contexts()
  const before = all.open()
  accept(7n)
  expect([before.context.height, all.open().context.height]).toEqual([0n, 7n])
})

test("a context may not be used when its call has ended and the state has changed", () => {
  const { all, accept, counts } = contexts()
  const lease = all.open()
  const { context } = lease
  expect(context.height).toBe(0n)
  lease.release()
  accept(7n)
  expect(counts()).toEqual({ taken: 1, given: 1 })
  expect(() => context.view).toThrow("the snapshot was released")
})

test("an answer that is cached for one state is made again in the next", () => {
  const { all, accept } = contexts()
  const make = () => ({ size: 1 })
  const ask = () => all.open().context.cache.forState("key", make)
  ask()
  const kept = ask()
  expect(ask()).toBe(kept)
  accept(1n)
  expect(ask()).not.toBe(kept)
})
