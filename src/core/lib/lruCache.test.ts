import { expect, test } from "vitest"
import { LruCache } from "./lruCache.js"

test("a full cache removes the least recently used entry", () => {
  const cache = new LruCache<number>(2)
  cache.set("a", 1)
  cache.set("b", 2)
  expect(cache.get("a")).toBe(1)
  cache.set("c", 3)
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([1, undefined, 3])
})

test("a new entry is stored, also if all others were used", () => {
  const cache = new LruCache<number>(2)
  cache.set("a", 1)
  cache.set("b", 2)
  expect([cache.get("b"), cache.get("a")]).toEqual([2, 1])
  cache.set("c", 3)
  expect([cache.get("a"), cache.get("b"), cache.get("c"), cache.size]).toEqual([undefined, 2, 3, 2])
})

test("an entry set again takes the new value and no further room", () => {
  const cache = new LruCache<number>(2)
  cache.set("a", 1)
  cache.set("b", 2)
  cache.set("a", 3)
  expect([cache.get("a"), cache.get("b")]).toEqual([3, 2])
})

test("a value is made once, and again only if making it failed", () => {
  const cache = new LruCache<number>(2)
  const made: number[] = []
  const make = (value: number) => () => {
    made.push(value)
    if (value < 0) throw new Error("no value")
    return value
  }
  expect(() => cache.valueOf("a", make(-1))).toThrow("no value")
  expect([cache.valueOf("a", make(1)), cache.valueOf("a", make(2)), made]).toEqual([1, 1, [-1, 1]])
})

test("a cache without room throws a plain error", () => {
  expect(() => new LruCache(0)).toThrow("room for 1 at least")
  expect(() => new LruCache(Number.NaN)).toThrow("room for 1 at least")
})

test("a large entry removes as many others as it needs", () => {
  const cache = new LruCache<string>(100)
  for (const key of ["a", "b", "c", "d"]) cache.set(key, key, 25)
  cache.get("a")
  cache.set("e", "e", 60)
  expect(["a", "b", "c", "d", "e"].filter((key) => cache.get(key))).toEqual(["a", "e"])
  expect(cache.size).toBe(85)
  cache.set("e", "e", 10)
  expect(cache.size).toBe(35)
  expect([cache.delete("a"), cache.delete("a"), cache.size]).toEqual([true, false, 10])
})

test("one entry moves at most 64 others, however many were used", () => {
  const cache = new LruCache<number>(1000)
  for (let i = 0; i < 1000; i++) cache.set(`${i}`, i)
  for (let i = 0; i < 1000; i++) cache.get(`${i}`)
  cache.set("new", 1)
  // The first 64 became the newest, and the next one was removed.
  const removed = Array.from({ length: 1000 }, (_, i) => i).filter((i) => cache.get(`${i}`) === undefined)
  expect([removed, cache.get("new"), cache.size]).toEqual([[64], 1, 1000])
})
