import { answer } from "../../jsonrpc/result.js"
import { bool, described, object, withDefault } from "../../jsonrpc/schema/kinds.js"
import { u32 } from "../../jsonrpc/schema/numbers.js"
import { method } from "./context.js"
import { checkCount } from "./params.js"

const MOST = 100_000

export const mine = method({
  name: "dev.mine",
  summary: "Makes blocks of what waits, as far as gas allows. With nothing to pack it makes none, or one small payment each.",
  params: object({
    blocks: described(withDefault(u32, 1), `how many at most, up to ${MOST}`),
    filler: described(withDefault(bool, false), "whether a small real payment fills blocks that would be empty"),
  }),
  result: answer.object({ height: answer.digits, blocks: answer.described(answer.number, "how many were made") }),
  examples: [{ params: { blocks: 2, filler: true }, result: { height: "2", blocks: 2 } }],

  async handler({ blocks, filler }, { dev }) {
    checkCount("blocks", blocks, 1, MOST)
    const made = await dev.mine({ blocks, filler })
    return { height: made.height.toString(), blocks: made.blocks }
  },
})
