import { Buffer, constants } from "node:buffer"
import { described, string } from "../../jsonrpc/schema/kinds.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { devMethod } from "./context.js"
import { devError } from "./errors.js"

/** What fits in base64 into the longest text that JavaScript can hold, with some room for the answer around it. */
const MAX_FILE_BYTES = Math.floor((constants.MAX_STRING_LENGTH - 1024) / 4) * 3

export const dumpState = devMethod({
  name: "dev.dumpState",
  summary: "The whole private chain as one value: state, blocks, clock, what waits, overrides, keystore. For `dev.loadState`.",
  params: nothing,
  result: object({ state: described(string, "base64") }),
  cost: 20,
  examples: [{ title: "the state is cut short", params: {}, result: { state: "c2VyYWMgc3RhdGUC…" } }],

  async handler(_params, { dev }) {
    const bytes = await dev.dumpState()
    if (bytes.length > MAX_FILE_BYTES) throw devError("dev.state_too_large", { bytes: bytes.length, most: MAX_FILE_BYTES })
    return { state: Buffer.from(bytes).toString("base64") }
  },
})
