import { Buffer, constants } from "node:buffer"
import { described, string } from "../../jsonrpc/schema/kinds.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { writeStateFile } from "../snapshots/stateFile.js"
import { devMethod } from "./context.js"
import { devError } from "./errors.js"

/** The maximum size of a state whose base64 fits into the longest JavaScript string, with some room for the response. */
const MAX_FILE_BYTES = Math.floor((constants.MAX_STRING_LENGTH - 1024) / 4) * 3

export const dumpState = devMethod({
  name: "dev.dumpState",
  summary:
    "Returns the whole private chain as one value for `dev.loadState`: state, blocks, clock, mempool, overrides and keystore. A node that runs L1s refuses, because their data would be missing.",
  params: nothing,
  result: object({ state: described(string, "The state in base64.") }),
  cost: 20,
  examples: [{ title: "The state is shortened here", params: {}, result: { state: "c2VyYWMgc3RhdGUE…" } }],

  async handler(_params, { chain, l1s }) {
    const hosted = l1s?.list().map(({ name }) => name) ?? []
    if (hosted.length > 0) throw devError("dev.hosts_l1s", { l1s: hosted })
    const bytes = await chain.turn(writeStateFile)
    if (bytes.length > MAX_FILE_BYTES) throw devError("dev.state_too_large", { bytes: bytes.length, most: MAX_FILE_BYTES })
    return { state: Buffer.from(bytes).toString("base64") }
  },
})
