import { expect, test } from "vitest"
import { defaultWorkerCount } from "./defaultWorkerCount.js"

test("a node leaves one core to its main process, and has at least one process that answers", () => {
  expect([1, 2, 3, 4, 16].map(defaultWorkerCount)).toEqual([1, 1, 2, 3, 15])
})
