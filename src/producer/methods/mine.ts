import { bool, described, optional, string, withDefault } from "../../jsonrpc/schema/kinds.js"
import { number, u32, u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { mineBlocks } from "../dev/mineBlocks.js"
import { devMethod } from "./context.js"
import { requireHosting } from "./hostedL1.js"
import { checkCount } from "./params.js"

const MAX_BLOCKS = 100_000

export const mine = devMethod({
  name: "dev.mine",
  summary:
    "Produces blocks from the transactions of the mempool, as far as gas allows. If the mempool is empty, it produces no block, or with `filler` blocks with one small payment each.",
  params: object({
    blocks: described(withDefault(u32, 1), `The largest number of blocks to produce, up to ${MAX_BLOCKS}.`),
    filler: described(withDefault(bool, false), "Whether a small real payment is put into each block that would be empty."),
    l1: described(
      optional(string),
      "The name of an L1 whose VM runs in this node. Its blocks are produced then, from the transactions of its own VM, and `filler` has no effect.",
    ),
  }),
  result: object({
    height: u64,
    blocks: described(number, "The number of blocks that were produced."),
    reason: described(optional(string), "Why the VM of the L1 made no further block, in its own words."),
  }),
  examples: [{ params: { blocks: 2, filler: true }, result: { height: "2", blocks: 2 } }],

  handler({ blocks, filler, l1 }, context) {
    checkCount("blocks", blocks, 1, MAX_BLOCKS)
    if (l1 !== undefined) return requireHosting(context).mine(l1, blocks)
    return context.chain.turn((turn) => mineBlocks(turn, { blocks, filler }))
  },
})
