import { isDeepStrictEqual } from "node:util"
import { expect } from "vitest"

// Every test file runs this first. Node compares values, above all bytes, many times faster than `toEqual`, and values that are strictly
// equal for Node are equal for `toEqual`. If they are not, `toEqual` decides, and shows the difference.

const ADDED = Symbol.for("serac.fastEquality")
const worker = globalThis as { [ADDED]?: true }

// Files of one worker share `expect`, so one tester is enough for all of them.
if (!worker[ADDED]) {
  worker[ADDED] = true
  expect.addEqualityTesters([(found, expected) => (isDeepStrictEqual(found, expected) ? true : undefined)])
}
