import { expect, test } from "vitest"
import { readStore } from "../../../test/fixtures/readModel.js"
import { addressOfByte, idOfByte } from "../../../test/fixtures/txs.js"
import { doNow, type Work } from "../../core/lib/work.js"
import { readTables } from "../../core/readmodel/tables.js"
import { Diff } from "../../core/state/diff.js"
import { tables } from "../../core/state/tables.js"
import { AnswerCache, type CacheSlot, cachedOr, type StateChange } from "./answerCache.js"
import { StateAnswers } from "./stateAnswers.js"

const BOUND = 20_000

/** A cache over a store in memory, with a frozen clock. */
function cached(maxBytes = BOUND) {
  const store = readStore()
  const cache = new AnswerCache(maxBytes)
  const clock = { seconds: 10n }
  const source = { dialect: "contract" as const, view: store.latest, node: { now: () => clock.seconds } }
  let answers = new StateAnswers(cache, source)
  const change = (kind: StateChange) => {
    cache.stateChanged(kind)
    answers = new StateAnswers(cache, source)
  }
  const accept = (height: number, owner: ReturnType<typeof addressOfByte>) => {
    const diff = new Diff(store.latest)
    diff.put(tables.blockIDs, BigInt(height), idOfByte(height))
    diff.put(readTables.txsByAddress, { owner, height: BigInt(height), index: 0 }, { txID: idOfByte(9), typeID: 34 })
    store.commit(diff.edits)
    change("block")
  }
  return { cache, clock, change, accept, now: () => answers }
}

/** Asks for each key in turn, and lists those that had to be made. Each takes about 1,000 bytes. */
function made({ now }: ReturnType<typeof cached>, ...keys: readonly string[]): string[] {
  return keys.filter((key) => {
    let isMade = false
    now().forState(key, () => {
      isMade = true
      return new Uint8Array(580)
    })
    return isMade
  })
}

test("an answer is stored when it is asked for the second time", () => {
  const node = cached()
  expect(made(node, "a", "a", "a", "b", "a", "b", "b")).toEqual(["a", "a", "b", "b"])
  expect(node.cache.counts.state).toEqual({ hits: 3, misses: 4 })
  expect(node.cache.size).toBe(2 * (400 + "contract a".length + 580))
})

test("an answer for a state is stored if it is asked for twice in the same state, and again in each state after that", () => {
  const node = cached()
  const asked = (...keys: readonly string[]) => {
    node.change("block")
    return made(node, ...keys)
  }
  expect([asked("a"), asked("a"), asked("a")]).toEqual([["a"], ["a"], ["a"]])
  expect(node.cache.size).toBe(0)
  expect([asked("a", "a", "a"), asked("a", "a"), asked("a")]).toEqual([["a", "a"], ["a"], ["a"]])
})

test("a scan over many questions evicts no stored answer, however often it is repeated", () => {
  const node = cached()
  const walk = Array.from({ length: 40 }, (_, i) => String.fromCharCode(0x30 + i))
  made(node, "a", "a")
  expect(made(node, ...walk, ...walk)).toEqual([...walk, ...walk])
  expect(made(node, "a")).toEqual([])
})

test("the bound holds for all requests, and one answer takes at most an eighth of it", () => {
  const node = cached()
  for (let i = 0; i < 3; i++) for (let key = 0; key < 9; key++) made(node, `${key} ${"x".repeat(key * 1_000)}`)
  for (let i = 0; i < 3; i++) node.now().forState("large", () => new Uint8Array(BOUND / 8))
  expect(node.cache.size).toBeLessThanOrEqual(BOUND / 2)
  expect(node.cache.counts.state.hits).toBeGreaterThan(0)
  expect(made(node, "large")).toEqual(["large"])
})

test("an answer for a state is made again after every change, one for a block never", () => {
  const node = cached()
  const forBlock = () => node.now().forBlock(idOfByte(1), "b", () => ({ size: 1 }))
  made(node, "a", "a")
  forBlock()
  const kept = forBlock()
  expect(made(node, "a")).toEqual([])
  for (const kind of ["block", "override", "revert"] as const) {
    node.change(kind)
    expect([made(node, "a", "a"), forBlock()]).toEqual([["a"], kept])
  }
  expect(node.now().forBlock(idOfByte(2), "b", () => ({ size: 2 })).size).toBe(2)
})

test("an answer for a second is made again in the next second, after every change, and when the clock was set back", () => {
  const { clock, change, now } = cached()
  let makes = 0
  const ask = () => now().forSecond("fees", () => ({ number: ++makes, size: 10 })).number
  expect([ask(), ask(), ask(), ask()]).toEqual([1, 2, 2, 2])
  clock.seconds = 11n
  expect([ask(), ask()]).toEqual([3, 3])
  clock.seconds = 9n
  expect([ask(), ask()]).toEqual([4, 4])
  change("block")
  expect([ask(), ask()]).toEqual([5, 5])
})

test("an answer about an address is reused only after blocks that do not touch the address", () => {
  const { accept, change, clock, now } = cached()
  const [mine, other] = [addressOfByte(1), addressOfByte(2)]
  let count = 0
  const ask = (until?: bigint): number => {
    const [, second, third] = [1, 2, 3].map(() => {
      const { value, store } = now().addressSlot<Uint8Array>([mine], "question")
      return value ?? store(new Uint8Array(++count), until)
    })
    expect(third).toBe(second)
    return second?.length ?? 0
  }
  expect([ask(), ask()]).toEqual([2, 2])
  accept(1, other)
  expect(ask()).toBe(2)
  accept(2, mine)
  expect([ask(), ask()]).toEqual([3, 3])
  change("override")
  expect(ask(11n)).toBe(4)
  clock.seconds = 11n
  expect(ask()).toBe(5)
})

test("an answer about an address that is true of one state only is made again after every block", () => {
  const { accept, now } = cached()
  const [mine, other] = [addressOfByte(1), addressOfByte(2)]
  let count = 0
  const ask = () => {
    const { value, store } = now().addressSlot<Uint8Array>([mine], "question", () => true)
    return (value ?? store(new Uint8Array(++count))).length
  }
  expect([ask(), ask(), ask()]).toEqual([1, 2, 2])
  accept(1, other)
  expect([ask(), ask()]).toEqual([3, 3])
})

test("an answer that is valid for a time is made again when the time is over, or when the clock was set back", () => {
  const { clock, now } = cached()
  let count = 0
  const ask = (seconds: bigint) => {
    clock.seconds = seconds
    const { value, store } = now().addressSlot<Uint8Array>([], "a")
    return (value ?? store(new Uint8Array(++count), seconds + 10n)).length
  }
  expect([10n, 10n, 19n, 20n, 29n, 9n, 18n].map(ask)).toEqual([1, 2, 2, 3, 3, 4, 4])
})

test("texts that recur are made once, and those of a kind take a 64th of the bound at most", () => {
  const { now } = cached(64 * 500)
  let count = 0
  const text = (kind: string, value: string) => now().text(kind, value, () => `${kind} ${value} ${++count}`)
  expect(["a", "b", "a", "b", "c", "b", "a"].map((value) => text("kind", value).at(-1))).toEqual([
    "1",
    "2",
    "1",
    "2",
    "3",
    "2",
    "4",
  ])
  expect(text("other", "b")).toBe("other b 5")
})

test("an override changes the state after the last block only, and a revert the state after every block", () => {
  const node = cached()
  const states = () => [4n, 5n].map((height) => node.now().stateAfter(height, 5n))
  const [old, last] = states()
  node.change("block")
  expect(states()).toEqual([old, last])
  node.change("override")
  const [oldAfterOverride, lastAfterOverride] = states()
  expect([oldAfterOverride === old, lastAfterOverride === last]).toEqual([true, false])
  node.change("revert")
  expect(states().some((text) => [old, last, lastAfterOverride].includes(text))).toBe(false)
})

/** Work that makes a value in three steps and counts how often it was begun. */
function counted(size = 10) {
  const begun = { count: 0 }
  const make = function* (): Work<Uint8Array> {
    begun.count++
    yield
    yield
    return new Uint8Array(size)
  }
  return { begun, make }
}

/** Runs work to its end. Other work runs between its steps. */
async function driven<T>(work: Work<T>): Promise<T> {
  let step = work.next()
  while (!step.done) step = work.next(await step.value)
  return step.value
}

const slotOf = (node: ReturnType<typeof cached>) => node.now().stateSlot<Uint8Array>("a")

test("calls that need a value while it is made wait for it, and then it is stored", async () => {
  const node = cached()
  const { begun, make } = counted()
  const results = await Promise.all([1, 2, 3].map(() => driven(cachedOr(slotOf(node), make) as Work<Uint8Array>)))
  const [made] = results
  expect(results.every((value) => value === made)).toBe(true)
  expect([begun.count, slotOf(node).value]).toEqual([1, made])
})

test("a value for which no other call waits is stored when it is asked for the second time", () => {
  const node = cached()
  const { begun, make } = counted()
  doNow(cachedOr(slotOf(node), make))
  expect(slotOf(node).value).toBeUndefined()
  doNow(cachedOr(slotOf(node), make))
  expect([begun.count, slotOf(node).value?.length]).toEqual([2, 10])
})

test.each([
  ["was abandoned", (work: Work<Uint8Array>) => work.return(new Uint8Array(0))],
  ["has failed", (work: Work<Uint8Array>) => expect(() => work.throw(new Error("no"))).toThrow("no")],
])("if the call that makes a value %s, the next one makes it", async (_, end) => {
  const node = cached()
  const { begun, make } = counted()
  const [first, second, third] = [1, 2, 3].map(() => cachedOr(slotOf(node), make) as Work<Uint8Array>)
  first?.next()
  const results = [second, third].map((work) => driven(work as Work<Uint8Array>))
  end(first as Work<Uint8Array>)
  const [a, b] = await Promise.all(results)
  expect([begun.count, a === b, a?.length]).toEqual([2, true, 10])
})

test("calls of another state, and calls at a time at which the value is no longer valid, make their own", async () => {
  const node = cached()
  const { begun, make } = counted()
  const first = cachedOr(slotOf(node), make) as Work<Uint8Array>
  first.next()
  node.change("block")
  expect(doNow(cachedOr(slotOf(node), make)).length).toBe(10)
  doNow(first)
  expect(begun.count).toBe(2)

  const slot = () => node.now().addressSlot<Uint8Array>([addressOfByte(1)], "b")
  const timed = ({ store, share }: CacheSlot<Uint8Array>) =>
    share(
      (function* () {
        return store(yield* make(), 20n)
      })(),
    )
  const early = timed(slot())
  early.next()
  const results = [19n, 20n].map((seconds) => {
    node.clock.seconds = seconds
    return driven(timed(slot()))
  })
  const value = doNow(early)
  const [sameSecond, later] = await Promise.all(results)
  expect([sameSecond === value, later === value, begun.count]).toEqual([true, false, 4])
})
