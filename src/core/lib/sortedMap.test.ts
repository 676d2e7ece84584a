import { expect, test } from "vitest"
import { Random } from "../../../test/fuzz/random.js"
import { SortedMap } from "./sortedMap.js"

const filled = (...keys: string[]): SortedMap<string> => {
  const map = new SortedMap<string>()
  for (const key of keys) map.set(key, key.toUpperCase())
  return map
}

test("an empty map has nothing", () => {
  const map = new SortedMap<number>()
  expect([map.size, map.get("a"), map.first(), map.delete("a"), ...map.entries()]).toEqual([0, undefined, undefined, false])
})

test("entries come in the order of their keys, from any place on", () => {
  const map = filled("c", "a", "e", "b")
  expect([...map.entries()].map(([key]) => key).join("")).toBe("abce")
  expect([...map.entries("", "b")].map(([key]) => key).join("")).toBe("bce")
  expect([...map.entries("", "d")]).toEqual([["e", "E"]])
  expect([...map.entries("", "f")]).toEqual([])
  expect(map.first()).toEqual(["a", "A"])
})

test("entries with a prefix are those that a look at every key finds, from any place on", () => {
  const random = new Random(4)
  const keys = Array.from({ length: 3000 }, () => random.below(4096).toString(16).padStart(3, "0"))
  const map = filled(...keys)
  const sorted = [...new Set(keys)].sort()
  for (const prefix of ["", "0", "7", "7a", "f", "ff", "fff", "g"]) {
    for (const from of [undefined, "000", "7", "7a8", "7b", "fff", "g"]) {
      const expected = sorted.filter((key) => key.startsWith(prefix) && key >= (from ?? ""))
      expect([...map.entries(prefix, from)].map(([key]) => key)).toEqual(expected)
    }
  }
})

test("the first entry from a place on is the one that a look at every key finds, also after deletions", () => {
  const random = new Random(5)
  const keys = Array.from({ length: 3000 }, () => random.below(65_536).toString(16).padStart(4, "0"))
  const map = filled(...keys)
  const left = new Set(keys)
  for (const key of keys.slice(0, 2000)) {
    map.delete(key)
    left.delete(key)
  }
  const sorted = [...left].sort()
  for (const place of ["", ...keys.slice(1900, 2100), "fff", "ffff", "g"]) {
    expect(map.entries("", place).next().value?.[0]).toBe(sorted.find((key) => key >= place))
  }
  expect([...new SortedMap<number>().entries("")]).toEqual([])
})

test("entries that were begun before changes are those of that moment, whether few or many", () => {
  const random = new Random(6)
  const map = new SortedMap<string>()
  const keyOf = () => random.below(4096).toString(16).padStart(3, "0")
  for (let i = 0; i < 1500; i++) map.set(keyOf(), `first ${i}`)
  const walks = ["", "7", "7a", "7a8", "fff"].map((prefix) => {
    const now = () => [...map.entries(prefix)]
    return { expected: now(), entries: map.entries(prefix) }
  })
  for (let i = 0; i < 1500; i++) {
    map.delete(keyOf())
    map.set(keyOf(), `second ${i}`)
  }
  for (const { expected, entries } of walks) expect([...entries]).toEqual(expected)
})

test("a copy and its original change apart", () => {
  const original = filled("a", "b")
  const copy = original.copy()
  copy.set("b", "copy")
  original.delete("a")
  original.set("c", "original")
  expect([...copy.entries()]).toEqual([
    ["a", "A"],
    ["b", "copy"],
  ])
  expect([...original.entries()]).toEqual([
    ["b", "B"],
    ["c", "original"],
  ])
})

test("a walk shows the moment at which it began", () => {
  const map = filled("a", "b", "c")
  const walk = map.entries()
  walk.next()
  map.delete("b")
  map.set("bb", "late")
  expect([...walk].map(([key]) => key)).toEqual(["b", "c"])
})

test.each([["rising"], ["falling"]])("a queue with %s keys empties to the last", (order) => {
  const map = new SortedMap<number>()
  const keys = Array.from({ length: 5000 }, (_, i) => (order === "rising" ? i : 4999 - i).toString(16).padStart(4, "0"))
  for (const key of keys) map.set(key, 1)
  const left: string[] = []
  for (let first = map.first(); first; first = map.first()) {
    left.push(first[0])
    map.delete(first[0])
  }
  expect([left, map.size]).toEqual([[...keys].sort(), 0])
})

test("random writes, deletions and copies agree with a plain map", () => {
  const random = new Random(1)
  const map = new SortedMap<number>()
  const model = new Map<string, number>()
  const copies: { copy: SortedMap<number>; entries: [string, number][] }[] = []
  const sorted = () => [...model].sort(([a], [b]) => (a < b ? -1 : 1))
  for (let step = 0; step < 40_000; step++) {
    // Grows to some thousands, then shrinks to nearly nothing, and again.
    const isGrowing = Math.floor(step / 10_000) % 2 === 0
    const key = random
      .below(isGrowing ? 20_000 : 6000)
      .toString(16)
      .padStart(4, "0")
    if (random.below(10) < (isGrowing ? 8 : 1)) {
      map.set(key, step)
      model.set(key, step)
    } else {
      const wasThere = model.delete(key)
      if (map.delete(key) !== wasThere) throw new Error(`step ${step}: ${key} was ${wasThere ? "" : "not "}there`)
    }
    if (step % 5000 === 0) copies.push({ copy: map.copy(), entries: sorted() })
    if (step % 2500 !== 0) continue
    expect(map.size).toBe(model.size)
    expect([...map.entries("", key)]).toEqual(sorted().filter(([each]) => each >= key))
    expect(map.first()).toEqual(sorted()[0])
    expect(map.get(key)).toBe(model.get(key))
  }
  for (const { copy, entries } of copies) expect([...copy.entries()]).toEqual(entries)
})
