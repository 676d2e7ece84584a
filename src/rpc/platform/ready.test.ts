import { expect, test } from "vitest"
import { Raw } from "../method.js"
import { ReadyAnswers } from "./ready.js"

const rawOf = (size: number) => new Raw(new Uint8Array(size))
const kept = (answers: ReadyAnswers, ...keys: readonly string[]) => keys.filter((key) => answers.get(key, 0n) !== undefined)

test("the answers last used are kept, within a bound of bytes", () => {
  const answers = new ReadyAnswers(4 * 1001)
  for (const key of ["a", "b", "c", "d"]) answers.set(key, { raw: rawOf(600), from: 0n, until: undefined })
  expect(kept(answers, "a", "b", "c", "d")).toEqual(["a", "b", "c", "d"])
  answers.get("a", 0n)
  answers.set("e", { raw: rawOf(600), from: 0n, until: undefined })
  expect(kept(answers, "a", "b", "c", "d", "e")).toEqual(["a", "c", "d", "e"])
  answers.set("f", { raw: rawOf(500), from: 0n, until: undefined })
  answers.set("f", { raw: rawOf(5), from: 0n, until: undefined })
  expect(kept(answers, "a", "c", "d", "e", "f")).toEqual(["c", "d", "e", "f"])
})

test("an answer that would push out most others is not kept", () => {
  const answers = new ReadyAnswers(4 * 1001)
  answers.set("a", { raw: rawOf(600), from: 0n, until: undefined })
  answers.set("big", { raw: rawOf(601), from: 0n, until: undefined })
  answers.set("a long question", { raw: rawOf(595), from: 0n, until: undefined })
  expect(kept(answers, "a", "big", "a long question")).toEqual(["a"])
})

test("an answer is given only while it is true", () => {
  const answers = new ReadyAnswers(10_000)
  answers.set("a", { raw: rawOf(1), from: 10n, until: 20n })
  expect([9n, 10n, 19n, 20n].map((now) => answers.get("a", now) !== undefined)).toEqual([false, true, true, false])
})
