import { blockTime } from "../../../core/readmodel/blockTimes.js"
import { heightsOf } from "../../../core/readmodel/explorer/moments.js"
import { recentFeePrices } from "../../../core/rules/feePrices.js"
import { described, list, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { integer, u32, u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { time } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { periodParams } from "../params/history.js"

const DEFAULT_LIMIT = 60
const MAX_LIMIT = 1024

export const getFeeHistory = method({
  name: "platform.getFeeHistory",
  summary:
    "Returns the price of gas and the fee of an active L1 validator after each of the latest blocks, or of the last ones of a part of the chain, oldest first. Blocks that a version of Serac without a record of prices accepted are omitted.",
  isExtension: true,
  params: object({
    ...periodParams,
    limit: described(withDefault(u32, DEFAULT_LIMIT), "The largest number of blocks, at most 1024; 60 by default or if it is 0."),
  }),
  result: object({
    blocks: list(
      object({
        height: u64,
        timestamp: described(time, "The time of the chain after the block."),
        gasPrice: described(integer, "The price in nAVAX per unit of gas."),
        validatorPrice: described(integer, "The price in nAVAX per second of an active L1 validator."),
      }),
    ),
  }),
  cost: 3,
  examples: [
    {
      params: { limit: 2 },
      result: {
        blocks: [
          { height: "12", timestamp: "2024-07-30T04:00:06Z", gasPrice: 1, validatorPrice: 1 },
          { height: "13", timestamp: "2024-07-30T04:00:07Z", gasPrice: 1, validatorPrice: 1 },
        ],
      },
    },
  ],

  async handler({ limit: asked, ...part }, { past: pastWith, rules, height: last }, { pace }) {
    const past = pastWith(pace)
    const heights = await heightsOf(part, past, last)
    if (!heights) return { blocks: [] }
    const limit = asked === 0 ? DEFAULT_LIMIT : Math.min(asked, MAX_LIMIT)
    const recent = await past.read((view) => recentFeePrices(view, rules, { last, limit, ...heights }))
    const blocks = await past.each(recent, (view, { height: at, gas, validator }) => ({
      height: at,
      timestamp: blockTime(view, at),
      gasPrice: gas,
      validatorPrice: validator,
    }))
    return { blocks }
  },
})
