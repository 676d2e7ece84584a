import { expect, test } from "vitest"
import { Raw } from "../../../jsonrpc/method.js"
import { ReadyAnswers } from "./ready.js"

/** Asks for each in turn, and says which had to be made. Each takes about 1,000 bytes. */
function made(answers: ReadyAnswers, ...keys: readonly string[]): string[] {
  return keys.filter((key) => {
    let isMade = false
    answers.getOrMake(key, 0n, () => {
      isMade = true
      return { raw: new Raw(new Uint8Array(599)) }
    })
    return isMade
  })
}

test("an answer is kept when it is asked for again", () => {
  expect(made(new ReadyAnswers(10_000), "a", "a", "a", "b", "a", "b", "b")).toEqual(["a", "a", "b", "b"])
})

test("a walk through many questions pushes none out that is kept, however often it goes round", () => {
  const answers = new ReadyAnswers(10_000)
  const walk = Array.from({ length: 40 }, (_, i) => String.fromCharCode(0x30 + i))
  made(answers, "a", "a")
  expect(made(answers, ...walk, ...walk)).toEqual([...walk, ...walk])
  expect(made(answers, "a")).toEqual([])
})

test("an answer is given only while it is true, and kept anew when it is not", () => {
  const answers = new ReadyAnswers(10_000)
  let count = 0
  const ask = (now: bigint) =>
    answers.getOrMake("a", now, () => ({ raw: new Raw(new Uint8Array(++count)), until: now + 10n })).raw.size
  expect([10n, 10n, 19n, 20n, 29n, 9n, 18n].map(ask)).toEqual([1, 2, 2, 3, 3, 4, 4])
})
