import { expect, test } from "vitest"
import { readStore } from "../../test/fixtures/readModel.js"
import { addressOfByte, idOfByte } from "../../test/fixtures/txs.js"
import { readTables } from "../core/readmodel/tables.js"
import { Diff } from "../core/state/diff.js"
import { tables } from "../core/state/tables.js"
import type { Address } from "../core/types/address.js"
import type { Lifetime } from "../jsonrpc/method.js"
import type { Context } from "./context.js"
import { forEver, ofBlock, ofSecond, ofState, ofStateAnd, untilTouched } from "./lifetimes.js"

/** A context over a store in memory, whose changes and clock a test sets. */
function chain() {
  const store = readStore()
  const now = { state: 0, reverts: 0, overrides: 0, seconds: 10n, height: 0n }
  const contextOf = (more: Partial<Context> = {}): Context =>
    ({
      view: store.latest,
      height: now.height,
      isPastElsewhere: false,
      changes: {
        state: String(now.state),
        until: (height: bigint, last: bigint) => (height < last ? `${now.reverts}` : `${now.reverts} ${now.overrides}`),
      },
      node: { now: () => now.seconds },
      ...more,
    }) as unknown as Context
  const accept = (owner: Address) => {
    now.state++
    now.height++
    const { height } = now
    const diff = new Diff(store.latest)
    diff.put(tables.blockIDs, height, idOfByte(Number(height)))
    diff.put(readTables.txsByAddress, { owner, height, index: 0 }, { txID: idOfByte(9), typeID: 34 })
    store.commit(diff.edits)
  }
  return { now, contextOf, accept }
}

/** The moment and the stamp of an answer. */
const marks = <P>({ moment, stamp }: Lifetime<P, Context, unknown>, params: P, context: Context) => [
  moment(params, context),
  stamp?.(params, context),
]

test("an answer holds for ever, for a state, for a fact about the node, or for a second of the clock", () => {
  const { now, contextOf } = chain()
  let fact = "a"
  const lifetimes = [forEver, ofState, ofStateAnd("", () => fact), ofSecond(() => true), ofSecond(() => false)]
  const all = () => lifetimes.map((lifetime) => lifetime.moment({}, contextOf()))
  const changed = (change: () => void) => {
    const before = all()
    change()
    return all().map((moment, i) => moment !== before[i])
  }
  expect(changed(() => now.state++)).toEqual([false, true, true, true, true])
  expect(changed(() => (fact = "b"))).toEqual([false, false, true, false, false])
  expect(changed(() => now.seconds++)).toEqual([false, false, false, true, false])
  expect(lifetimes.every(({ stamp }) => stamp === undefined)).toBe(true)
})

test("an answer about addresses holds over blocks that do not touch them, and over no revert or override", () => {
  const { now, contextOf, accept } = chain()
  const [mine, other] = [addressOfByte(1), addressOfByte(2)]
  const lifetime = untilTouched<object, unknown>(() => [mine])
  const stamp = (more: Partial<Context> = {}) => lifetime.stamp?.({}, contextOf(more))
  accept(mine)
  const first = stamp()
  accept(other)
  expect(stamp()).toBe(first)
  accept(mine)
  expect(stamp()).not.toBe(first)
  for (const change of ["reverts", "overrides"] as const) {
    const before = stamp()
    now[change]++
    expect([change, stamp() === before]).toEqual([change, false])
  }
  // Rows of the past are not read where they are on another machine, nor for an answer that depends on more than the addresses.
  const ofStateOnly = untilTouched<object, unknown>(() => [mine], { isOfState: () => true })
  expect([stamp({ isPastElsewhere: true }), ofStateOnly.stamp?.({}, contextOf())]).toEqual([`${now.state}`, `${now.state}`])
})

test("an answer about a block holds until a revert; one about the state after the last block also until an override", () => {
  const { now, contextOf } = chain()
  now.height = 5n
  const lifetimes = [
    ofBlock(() => ({ id: idOfByte(1) })),
    ofBlock(() => ({ id: idOfByte(1), stateAt: 4n })),
    ofBlock(() => ({ id: idOfByte(1), stateAt: 5n })),
    ofBlock(() => undefined),
  ]
  const all = () => lifetimes.map((lifetime) => marks(lifetime, {}, contextOf())[1])
  const changed = (change: () => void) => {
    const before = all()
    change()
    return all().map((stamp, i) => stamp !== before[i])
  }
  expect(changed(() => now.state++)).toEqual([false, false, false, true])
  expect(changed(() => now.overrides++)).toEqual([false, false, true, false])
  expect(changed(() => now.reverts++)).toEqual([true, true, true, false])
})
