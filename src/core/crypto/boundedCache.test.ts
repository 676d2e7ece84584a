import { expect, test } from "vitest"
import { boundedCache } from "./boundedCache.js"

test("a full cache lets go of the entry that was not asked for the longest", () => {
  const cache = boundedCache<number>(2)
  cache.set("a", 1)
  cache.set("b", 2)
  expect(cache.get("a")).toBe(1)
  cache.set("c", 3)
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([1, undefined, 3])
})

test("an entry set again takes the new value and no further room", () => {
  const cache = boundedCache<number>(2)
  cache.set("a", 1)
  cache.set("b", 2)
  cache.set("a", 3)
  expect([cache.get("a"), cache.get("b")]).toEqual([3, 2])
})

test("a cache without room is our own fault", () => {
  expect(() => boundedCache(0)).toThrow("one entry at least")
  expect(() => boundedCache(Number.NaN)).toThrow("one entry at least")
})
