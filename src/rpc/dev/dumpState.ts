import { Buffer } from "node:buffer"
import { answer } from "../answer.js"
import { nothing } from "../schema.js"
import { method } from "./port.js"

export const dumpState = method({
  name: "dev.dumpState",
  summary: "The whole private chain as one value: state, blocks, clock, what waits, overrides, keystore. For `dev.loadState`.",
  params: nothing,
  result: answer.object({ state: answer.described(answer.string, "base64") }),
  cost: 20,
  examples: [],

  async handler(_params, { dev }) {
    return { state: Buffer.from(await dev.dumpState()).toString("base64") }
  },
})
