import { expect } from "vitest"
import { after, both, type Call, type Case, missing, refusalText, refused, type Table, undoneBy } from "../../methods/table.js"

const reset: Call = ["dev.reset", {}]
const mined: Call = ["dev.mine", { blocks: 2, filler: true }]

/** Cases of snapshots, resets and state files. */
export function pastCases(): Table {
  return { ...snapshotCases(), ...stateCases() }
}

function snapshotCases(): Table {
  // The known snapshots depend on earlier calls.
  const unknown = (id: number): Case => ({
    params: { id },
    contract: {
      error: {
        code: -32000,
        message: expect.stringMatching(new RegExp(`^no snapshot has this ID \\(id: ${id}, known: \\[[0-9,]*\\]\\)$`)) as never,
        data: { code: "producer.unknown_snapshot", id, known: expect.any(Array) },
      },
    },
    avalanchego: refusalText("no snapshot has this ID"),
  })
  return {
    "dev.snapshot": {
      takes: { name: "string" },
      normal: [
        undoneBy([reset], both(undefined, { id: expect.any(Number), height: "1" })),
        after([mined], both({}, { id: expect.any(Number), height: "3" })),
      ],
      "all parameters": [undoneBy([reset], both({ name: "first" }, { id: expect.any(Number), height: "1" }))],
    },
    // IDs count up while a node runs; stories.test.ts checks reverted and removed snapshots.
    "dev.revert": {
      takes: { id: "u32" },
      normal: [unknown(0)],
      "omitted parameters": [missing("id", refusalText("no snapshot has this ID"))],
      errors: [unknown(4_000_000_000)],
    },
    "dev.reset": {
      takes: {},
      normal: [both(undefined, { height: "1" }), both({}, { height: "1" })],
    },
  }
}

function stateCases(): Table {
  const badBase64 = (state: string) => refused({ state }, "dev.bad_base64", {}, "the state is not written in base64")
  const NO_STATE = "the bytes are not a state of this program"
  const OLDER = expect.stringMatching(/^the state was written by an older version of this program: .*`serac upgrade`/) as never
  const written = (text: string) => Buffer.from(text, "latin1").toString("base64")
  return {
    "dev.dumpState": {
      takes: {},
      // The eleven letters that every state begins with, and its version.
      normal: [both(undefined, { state: expect.stringMatching(/^c2VyYWMgc3RhdGUE[A-Za-z0-9+/]{1000,}={0,2}$/) })],
    },
    // A state that is one is loaded in stories.test.ts.
    "dev.loadState": {
      takes: { state: "string" },
      normal: [refused({ state: written("hello world!") }, "producer.bad_dump", {}, NO_STATE)],
      "omitted parameters": [missing("state", refusalText("the state is not written in base64"))],
      errors: [
        badBase64(""),
        badBase64("!!"),
        badBase64("aGVsbG8gd29ybGQ"),
        badBase64("aGVsbG8 gd29ybGQh"),
        refused({ state: written("serac state") }, "producer.bad_dump", {}, NO_STATE),
        refused({ state: written("serac state\0x") }, "producer.older_dump", { version: 0, known: 4 }, OLDER),
        refused(
          { state: written("serac state\x04x") },
          "producer.bad_dump",
          { reason: "the file was changed after it was written, or its end is missing" },
          NO_STATE,
        ),
        refused(
          { state: written("serac state\x05") },
          "producer.newer_dump",
          { version: 5, known: 4 },
          "the state was written by a newer version of this program",
        ),
      ],
    },
  }
}
