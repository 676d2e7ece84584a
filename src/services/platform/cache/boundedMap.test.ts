import { expect, test } from "vitest"
import { BoundedMap } from "./boundedMap.js"

const found = (map: BoundedMap<number>, ...keys: readonly string[]) => keys.filter((key) => map.get(key) !== undefined)

test("the entries last used are kept, within a bound of bytes", () => {
  const map = new BoundedMap<number>(100)
  for (const key of ["a", "b", "c", "d"]) map.set(key, 1, 25)
  expect(found(map, "a", "b", "c", "d")).toEqual(["a", "b", "c", "d"])
  map.get("a")
  map.set("e", 1, 25)
  expect(found(map, "a", "b", "c", "d", "e")).toEqual(["a", "c", "d", "e"])
  map.set("f", 1, 20)
  map.set("f", 1, 5)
  expect(found(map, "a", "c", "d", "e", "f")).toEqual(["c", "d", "e", "f"])
  expect([map.delete("c"), map.delete("c")]).toEqual([true, false])
  map.set("g", 1, 20)
  expect(found(map, "d", "e", "f", "g")).toEqual(["d", "e", "f", "g"])
})

test("one that would push out most others is not kept", () => {
  const map = new BoundedMap<number>(100)
  map.set("a", 1, 25)
  map.set("big", 1, 26)
  expect(found(map, "a", "big")).toEqual(["a"])
})
