import { basename } from "node:path"
import { expect, test } from "vitest"
import { recordingNames, recordingPath } from "../recordings/recordings.js"
import { readers } from "./parse/index.js"
import { runFile } from "./run.js"

/** The entries of each file that Serac reads otherwise than AvalancheGo. */
const KNOWN_DIFFERENCES: Readonly<Record<string, number>> = {
  // zstd 1.5.2, which AvalancheGo has, does not notice the damage of a compressed block that later versions refuse.
  message: 1,
}

const names = recordingNames("vectors/parse")

test("there are recorded bytes of every kind that can be read", () => {
  expect(names.map((name) => basename(name, ".json")).sort()).toEqual(Object.keys(readers).sort())
})

test.each(names)("%s: Serac reads from bytes of peers what AvalancheGo reads", (name) => {
  const { failures, failed, passed } = runFile(recordingPath(name))
  expect(failed === (KNOWN_DIFFERENCES[basename(name, ".json")] ?? 0) ? [] : failures).toEqual([])
  expect(passed).toBeGreaterThan(0)
})
