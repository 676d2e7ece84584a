import { bool, described, list } from "../../jsonrpc/schema/kinds.js"
import { i64Text, number, u64 } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { devMethod } from "./context.js"
import { unixTime } from "./params.js"
import { blockMode } from "./results.js"

export const status = devMethod({
  name: "dev.status",
  summary: "How the private chain stands: its clock, its height, and what was done to it by hand.",
  params: nothing,
  result: object({
    clock: unixTime,
    offset: described(i64Text, "how many seconds the clock is ahead of the machine's"),
    frozen: bool,
    chainTime: described(u64, "the last block's time, Unix seconds; it may lie behind the clock"),
    height: u64,
    blockMode,
    snapshots: list(object({ id: number, height: u64 })),
    overrides: described(number, "how much no transaction did: conjured UTXOs, credits, impersonations, uptimes"),
    mempool: described(number, "how many transactions wait"),
  }),
  examples: [
    {
      params: {},
      result: {
        clock: "1900000000",
        offset: "0",
        frozen: true,
        chainTime: "1884312000",
        height: "0",
        blockMode: { mode: "auto" },
        snapshots: [],
        overrides: 0,
        mempool: 0,
      },
    },
  ],

  handler(_params, { dev }) {
    const { isFrozen, ...status } = dev.status()
    return { ...status, frozen: isFrozen }
  },
})
