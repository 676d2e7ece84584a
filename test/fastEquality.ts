import { isDeepStrictEqual } from "node:util"
import { expect } from "vitest"

// Every test file runs this first. Node compares values many times faster than `toEqual` does, bytes above all, and what is strictly equal
// for Node is equal for `toEqual`. Any other verdict is left to `toEqual`, which also shows the difference.

const ADDED = Symbol.for("serac.fastEquality")
const worker = globalThis as { [ADDED]?: true }

// Files of one worker share `expect`, so one tester is enough for all of them.
if (!worker[ADDED]) {
  worker[ADDED] = true
  expect.addEqualityTesters([(found, expected) => (isDeepStrictEqual(found, expected) ? true : undefined)])
}
