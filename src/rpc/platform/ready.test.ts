import { expect, test } from "vitest"
import { readStore } from "../../../test/fixtures/readModel.js"
import { addressOfByte, idOfByte } from "../../../test/fixtures/txs.js"
import { readTables } from "../../readmodel/tables.js"
import { Diff } from "../../state/diff.js"
import { tables } from "../../state/tables.js"
import type { AcceptedEvent, Context, NodePort } from "../context.js"
import { Raw } from "../method.js"
import { answerAbout, ReadyAnswers } from "./ready.js"

const rawOf = (size: number) => new Raw(new Uint8Array(size))
const kept = (answers: ReadyAnswers, ...keys: readonly string[]) => keys.filter((key) => answers.get(key, 0n) !== undefined)

test("the answers last used are kept, within a bound of bytes", () => {
  const answers = new ReadyAnswers(104)
  for (const key of ["a", "b", "c", "d"]) answers.set(key, { raw: rawOf(25), from: 0n, until: undefined })
  expect(kept(answers, "a", "b", "c", "d")).toEqual(["a", "b", "c", "d"])
  answers.get("a", 0n)
  answers.set("e", { raw: rawOf(25), from: 0n, until: undefined })
  expect(kept(answers, "a", "b", "c", "d", "e")).toEqual(["a", "c", "d", "e"])
  answers.set("f", { raw: rawOf(20), from: 0n, until: undefined })
  answers.set("f", { raw: rawOf(5), from: 0n, until: undefined })
  expect(kept(answers, "a", "c", "d", "e", "f")).toEqual(["c", "d", "e", "f"])
})

test("an answer that would push out most others is not kept", () => {
  const answers = new ReadyAnswers(104)
  answers.set("a", { raw: rawOf(25), from: 0n, until: undefined })
  answers.set("big", { raw: rawOf(26), from: 0n, until: undefined })
  answers.set("a long question", { raw: rawOf(20), from: 0n, until: undefined })
  expect(kept(answers, "a", "big", "a long question")).toEqual(["a"])
})

test("an answer is given only while it is true", () => {
  const answers = new ReadyAnswers(100)
  answers.set("a", { raw: rawOf(1), from: 10n, until: 20n })
  expect([9n, 10n, 19n, 20n].map((now) => answers.get("a", now) !== undefined)).toEqual([false, true, true, false])
})

test("what is said of an address stays true through blocks that leave it alone, and through nothing else", () => {
  const store = readStore()
  const listeners: ((event: AcceptedEvent) => void)[] = []
  let now = 10n
  const node = { now: () => now, onAccepted: (listener: never) => listeners.push(listener) } as unknown as NodePort
  const [mine, other] = [addressOfByte(1), addressOfByte(2)]
  let made = 0
  const ask = (until?: bigint): number => {
    const cached = new Map<string, unknown>()
    const context = {
      node,
      dialect: "contract",
      view: store.latest,
      cached: (key: string, make: () => unknown) => cached.get(key) ?? cached.set(key, make()).get(key),
    } as unknown as Context
    const make = () => ({ raw: rawOf(++made), until })
    const first = answerAbout(context, [mine], "question", make)
    expect(answerAbout(context, [mine], "question", make)).toBe(first)
    return first.size
  }
  const accept = (height: number, address: typeof mine) => {
    const diff = new Diff(store.latest)
    diff.put(tables.blockIDs, BigInt(height), idOfByte(height))
    diff.put(readTables.txsByAddress, { address, height: BigInt(height), index: 0 }, { txID: idOfByte(9), typeID: 34 })
    store.commit(diff.edits)
    for (const listener of listeners) listener({ kind: "block" } as AcceptedEvent)
  }
  expect([ask(), ask()]).toEqual([1, 1])
  accept(1, other)
  expect(ask()).toBe(1)
  accept(2, mine)
  expect([ask(), ask()]).toEqual([2, 2])
  for (const listener of listeners) listener({ kind: "override" })
  expect(ask(11n)).toBe(3)
  now = 11n
  expect(ask()).toBe(4)
})
