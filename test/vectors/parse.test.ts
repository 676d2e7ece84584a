import { basename } from "node:path"
import { expect, test } from "vitest"
import { recordingNames, recordingPath } from "../recordings/recordings.js"
import { readers } from "./parse/index.js"
import { runFile } from "./run.js"

const names = recordingNames("vectors/parse")

test("there are recorded bytes of every kind that can be read", () => {
  expect(names.map((name) => basename(name, ".json")).sort()).toEqual(Object.keys(readers).sort())
})

test.each(names)("%s: Serac reads from bytes of peers what AvalancheGo reads", (name) => {
  const { failures, failed, passed } = runFile(recordingPath(name))
  expect([failures, failed]).toEqual([[], 0])
  expect(passed).toBeGreaterThan(0)
})
