import { expect, test } from "vitest"
import { fakeNode, localChain } from "../../test/fixtures/api.js"
import { Diff } from "../core/state/diff.js"
import { tables } from "../core/state/tables.js"
import type { ID } from "../core/types/id.js"
import { Contexts } from "./contexts.js"
import { Memo } from "./memo.js"

function contexts() {
  const { store, rules } = localChain()
  const node = fakeNode()
  let taken = 0
  let given = 0
  const all = new Contexts({
    dialect: "contract",
    rules,
    node,
    memo: new Memo(1 << 20),
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
  const change = (kind: "block" | "override" | "revert") => node.emit({ kind } as never)
  return { all, accept, change, counts: () => ({ taken, given }) }
}

function bound(view: ReturnType<ReturnType<typeof localChain>["store"]["view"]>) {
  const hasIndexes = true as const
  return {
    hasIndexes,
    get: view.get.bind(view),
    rows: view.rows.bind(view),
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

test("a change has another text in each state; an override changes that of the last block only, and a revert that of every block", () => {
  const { all, change } = contexts()
  const states = () => {
    const { changes } = all.open().context
    return [changes.state, changes.until(4n, 5n), changes.until(5n, 5n)]
  }
  const [first, old, last] = states()
  change("block")
  expect(states()).toEqual(["1", old, last])
  change("override")
  const [, oldAfterOverride, lastAfterOverride] = states()
  expect([first, oldAfterOverride === old, lastAfterOverride === last]).toEqual(["0", true, false])
  change("revert")
  expect(states().some((text) => [old, last, lastAfterOverride].includes(text))).toBe(false)
})
