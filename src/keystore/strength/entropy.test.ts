import { beforeAll, expect, test } from "vitest"
import { entropyOf, type Knowledge, knowledgeOf } from "./entropy.js"
import { leetReadings } from "./leet.js"
import { loadWords } from "./words.js"

let knowledge: Knowledge
beforeAll(async () => {
  knowledge = knowledgeOf(await loadWords())
})

/** Bits as nbutton23/zxcvbn-go (commit ae427f1e4c1d) gives them, rounded as there. */
const facts: readonly (readonly [string, number])[] = [
  ["password", 0],
  ["myPassword", 5.322],
  ["Password1!", 3],
  ["P@ssw0rd1234", 3],
  ["StrongPassword123!", 13.75],
  ["Str0ng!Pass", 17.294],
  ["Avalanche2024!", 22.843],
  ["heytherepal", 22.685],
  ["my-secret-pass", 27.483],
  ["lemon-candle", 27.635],
  ["aB3$aB3$", 29.071],
  ["Sup3rS3cret!Pw", 30.803],
  ["ewoq2020!", 32.647],
  ["9f8e7d6c", 34.984],
  ["Fuji-Test-1234", 39.398],
  ["Zk9#vLq2", 52.559],
  ["passwTest@fake01ord", 47.075],
  // Dates: one at the very end does not count.
  ["1998-05-17", 35.812],
  ["x1998-05-17x", 23.543],
  ["17.05.98x", 17.183],
  ["980517x", 15.183],
  ["17051998x", 15.434],
  ["20240101x", 19.595],
  // Sequences, keyboards, runs.
  ["cba!zz", 19.466],
  ["ZYX", 8.285],
  ["1234", 2],
  ["qwertyuiop", 10.592],
  ["QAZwsx", 12.868],
  ["1478963", 9.27],
  ["aoeuid", 12.424],
  ["aAaA", 7.7],
  // Signs for letters, capitals.
  ["|337", 9.95],
  ["s1|7e", 16.217],
  ["PASSWORD", 1],
  ["PassWord", 5.209],
  ["pASSWORD", 3.17],
  // Beyond ASCII, where the reference mixes characters and bytes; the last is cut in the middle of a character.
  ["ééé", 21.569],
  ["密密密", 36.896],
  ["\u0130\u212a", 19.802],
  ["éèêëéèêëéèêëéèêëéèêëéèêëaé", 290.571],
]

test.each(facts)("%j is as hard to guess as for the reference's library", (password, bits) => {
  expect(Math.round(entropyOf(password, knowledge) * 1000) / 1000).toBe(bits)
})

test("a password with every sign for a letter has some hundred readings, and not all combinations of signs", () => {
  const readings = leetReadings([..."4@8({[<3691!|70$5+%2".repeat(3)]).map((reading) => reading.join(""))
  expect(readings.length).toBe(544)
  expect(new Set(readings).size).toBe(544)
})

test("all five lists are there, with their most and least common words", () => {
  const { words, ranks } = knowledge.words
  expect(words.length).toBe(85_088)
  const rankOf = (word: string) => ranks[words.indexOf(word)]
  expect(["you", "mary", "james", "password", "smith"].map(rankOf)).toEqual([1, 1, 1, 1, 1])
  expect(["a'right", "pic's"].map(rankOf)).toEqual([32_545, 2405])
  expect([...words].sort()).toEqual(words)
})
