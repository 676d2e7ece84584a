import { expect, test } from "vitest"
import { RecentCache } from "./recentCache.js"

test("has the last entries that were written or read, and forgets the others", () => {
  const cache = new RecentCache<number>(2)
  for (const [i, key] of ["a", "b", "c"].entries()) cache.set(key, i)
  expect(["a", "b", "c"].map((key) => cache.get(key))).toEqual([0, 1, 2])
})

test("forgets all but the entries of two generations", () => {
  const cache = new RecentCache<number>(3)
  for (let i = 0; i < 50; i++) cache.set(String(i), i)
  expect(Array.from({ length: 44 }, (_, i) => cache.get(String(i))).every((found) => found === undefined)).toBe(true)
  expect(["49", "48", "47"].map((key) => cache.get(key))).toEqual([49, 48, 47])
})

test("an entry that is read again and again stays", () => {
  const cache = new RecentCache<string>(2)
  cache.set("kept", "value")
  for (let i = 0; i < 20; i++) {
    expect(cache.get("kept")).toBe("value")
    cache.set(String(i), "other")
  }
})

test("a cache without room is refused", () => {
  expect(() => new RecentCache(0)).toThrow("room for 1 at least")
})
