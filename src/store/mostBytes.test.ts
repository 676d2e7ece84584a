import { expect, test } from "vitest"
import { mostBytes } from "./mostBytes.js"

test("a store may have a terabyte, unless the process may address less", () => {
  const limits = (soft: string) =>
    `Max locked memory         8388608              8388608              bytes\nMax address space         ${soft}            unlimited            bytes\n`
  expect([limits("unlimited"), limits("40000000000"), ""].map(mostBytes)).toEqual([2 ** 40, 10_000_000_000, 2 ** 40])
})
