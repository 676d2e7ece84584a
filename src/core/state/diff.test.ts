import { describe, expect, test } from "vitest"
import { Random } from "../../../test/fuzz/random.js"
import type { ID } from "../types/id.js"
import { Diff } from "./diff.js"
import { tables } from "./tables.js"
import { idOfByte, viewContract } from "./view.contract.js"
import type { View } from "./view.js"
import { emptyView } from "./view.js"

const A = idOfByte("0a")
const B = idOfByte("0b")
const { supplies, l1Weights } = tables

viewContract("a diff on nothing", (rows) => {
  const diff = new Diff(emptyView)
  for (const [table, key, value] of rows) diff.put(table, key, value)
  return diff
})

viewContract("a diff on rows that it leaves alone", (rows) => {
  const below = new Diff(emptyView)
  for (const [table, key, value] of rows) below.put(table, key, value)
  return new Diff(below)
})

viewContract("a diff that adds, changes and deletes rows of another", (rows) => {
  const below = new Diff(emptyView)
  const above = new Diff(below)
  const stray = [idOfByte("00"), idOfByte("aa"), idOfByte("fe")]
  for (const key of stray) below.put(supplies, key, 9n)
  for (const [i, [table, key, value]] of rows.entries()) {
    if (i % 2 === 0) below.put(table, key, i % 4 === 0 ? value : undefined)
    if (i % 4 !== 0) above.put(table, key, value)
  }
  for (const key of stray) above.delete(supplies, key)
  return above
})

function parentWith(...rows: readonly (readonly [ID, bigint])[]): Diff {
  const parent = new Diff(emptyView)
  for (const [key, value] of rows) parent.put(supplies, key, value)
  return parent
}

describe("what a diff would commit", () => {
  const editsOf = (diff: Diff) => [...diff.edits].map(([{ name }, rows]) => [name, [...rows]])

  test("every changed row, and whether it was there before", () => {
    const diff = new Diff(parentWith([A, 1n]))
    diff.put(supplies, A, 2n)
    diff.insert(supplies, B, 3n)
    diff.delete(l1Weights, A)
    expect(editsOf(diff)).toEqual([
      [
        "supplies",
        [
          [A, { value: 2n, isNew: false }],
          [B, { value: 3n, isNew: true }],
        ],
      ],
      ["l1Weights", [[A, { value: undefined, isNew: false }]]],
    ])
    expect(diff.size).toBe(3)
  })

  test("a row that was added and deleted leaves no change", () => {
    const diff = new Diff(emptyView)
    diff.insert(supplies, A, 1n)
    diff.put(supplies, A, 2n)
    diff.delete(supplies, A)
    expect([editsOf(diff), diff.size, diff.get(supplies, A)]).toEqual([[], 0, undefined])
  })

  /** A diff on nothing that adds the row: elsewhere it may exist already. */
  function added(value: bigint): Diff {
    const diff = new Diff(emptyView)
    diff.insert(supplies, A, value)
    return diff
  }

  test("a row that was added twice and deleted leaves no change", () => {
    const diff = new Diff(emptyView)
    for (const value of [1n, 2n]) added(value).applyTo(diff)
    expect(editsOf(diff)).toEqual([["supplies", [[A, { value: 2n, isNew: true }]]]])
    diff.delete(supplies, A)
    expect([editsOf(diff), diff.get(supplies, A)]).toEqual([[], undefined])
  })

  test("a row that was added by mistake, since the parent has it, is deleted with that of the parent", () => {
    const parent = parentWith([A, 1n])
    const diff = new Diff(parent)
    added(2n).applyTo(diff)
    diff.delete(supplies, A)
    expect([editsOf(diff), diff.get(supplies, A)]).toEqual([[["supplies", [[A, { value: undefined, isNew: false }]]]], undefined])
    diff.applyTo(parent)
    expect([...parent.rows(supplies)]).toEqual([])
  })

  test("a row that was deleted and added again is an update", () => {
    const diff = new Diff(parentWith([A, 1n]))
    diff.delete(supplies, A)
    diff.insert(supplies, A, 2n)
    expect(editsOf(diff)).toEqual([["supplies", [[A, { value: 2n, isNew: false }]]]])
  })
})

test("a diff knows which rows it deleted itself", () => {
  const parent = parentWith([A, 1n], [B, 2n])
  parent.delete(supplies, B)
  const diff = new Diff(parent)
  diff.delete(supplies, A)
  expect([diff.hasDeleted(supplies, A), diff.hasDeleted(supplies, B)]).toEqual([true, false])
  diff.put(supplies, A, 1n)
  expect(diff.hasDeleted(supplies, A)).toBe(false)
})

test("its parent does not see its changes", () => {
  const parent = parentWith([A, 1n])
  const diff = new Diff(parent)
  diff.put(supplies, A, 2n)
  diff.delete(supplies, A)
  diff.insert(supplies, B, 3n)
  expect([...parent.rows(supplies)]).toEqual([[A, 1n]])
})

test("rows may be deleted during an iteration, which then skips them", () => {
  const diff = new Diff(parentWith([A, 1n]))
  diff.insert(supplies, B, 2n)
  diff.insert(supplies, idOfByte("0c"), 3n)
  const seen: bigint[] = []
  for (const [key, value] of diff.rows(supplies)) {
    seen.push(value)
    diff.delete(supplies, key)
    diff.delete(supplies, B)
  }
  expect([seen, ...diff.rows(supplies)]).toEqual([[1n, 3n]])
})

test("random changes in diffs upon diffs agree with a plain map", () => {
  const random = new Random(3)
  const keys = Array.from({ length: 60 }, (_, i) => BigInt(i * 7919))
  const model = new Map<bigint, ID>()
  const base = new Diff(emptyView)
  let stack: Diff[] = [base]
  const same = (view: View) => {
    const sorted = [...model].sort(([a], [b]) => (a < b ? -1 : 1))
    expect([...view.rows(tables.blockIDs)]).toEqual(sorted)
    expect(view.first(tables.blockIDs)).toEqual(sorted[0])
    for (const key of keys) if (view.get(tables.blockIDs, key) !== model.get(key)) throw new Error(`key ${key} differs`)
  }
  for (let step = 0; step < 2000; step++) {
    const top = stack.at(-1) as Diff
    const key = random.pick(keys)
    const value = idOfByte(random.below(256).toString(16).padStart(2, "0"))
    if (random.below(3) === 0) {
      top.delete(tables.blockIDs, key)
      model.delete(key)
    } else {
      if (model.has(key)) top.put(tables.blockIDs, key, value)
      else top.insert(tables.blockIDs, key, value)
      model.set(key, value)
    }
    if (random.below(10) === 0) stack.push(new Diff(top))
    if (stack.length > 4) {
      // Accepted: the diffs are written into each other from the top, until one is left.
      for (let i = stack.length - 1; i > 0; i--) (stack[i] as Diff).applyTo(stack[i - 1] as Diff)
      stack = [base]
    }
    if (step % 20 === 0) same(stack.at(-1) as Diff)
  }
})
