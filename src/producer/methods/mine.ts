import { bool, described, withDefault } from "../../jsonrpc/schema/kinds.js"
import { number, u32, u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { devMethod } from "./context.js"
import { checkCount } from "./params.js"

const MAX_BLOCKS = 100_000

export const mine = devMethod({
  name: "dev.mine",
  summary: "Makes blocks of what waits, as far as gas allows. With nothing to pack it makes none, or one small payment each.",
  params: object({
    blocks: described(withDefault(u32, 1), `how many at most, up to ${MAX_BLOCKS}`),
    filler: described(withDefault(bool, false), "whether a small real payment fills blocks that would be empty"),
  }),
  result: object({ height: u64, blocks: described(number, "how many were made") }),
  examples: [{ params: { blocks: 2, filler: true }, result: { height: "2", blocks: 2 } }],

  handler({ blocks, filler }, { dev }) {
    checkCount("blocks", blocks, 1, MAX_BLOCKS)
    return dev.mine({ blocks, filler })
  },
})
