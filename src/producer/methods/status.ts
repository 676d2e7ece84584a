import { answer } from "../../jsonrpc/result.js"
import { nothing } from "../../jsonrpc/schema/kinds.js"
import { blockMode, blockModeJson, unixTime } from "./answers.js"
import { method } from "./context.js"

export const status = method({
  name: "dev.status",
  summary: "How the private chain stands: its clock, its height, and what was done to it by hand.",
  params: nothing,
  result: answer.object({
    clock: unixTime,
    offset: answer.described(
      answer.of<string>({ type: "string", pattern: "^-?[0-9]+$" }),
      "how many seconds the clock is ahead of the machine's",
    ),
    frozen: answer.bool,
    chainTime: answer.described(answer.digits, "the last block's time, Unix seconds; it may lie behind the clock"),
    height: answer.digits,
    blockMode,
    snapshots: answer.list(answer.object({ id: answer.number, height: answer.digits })),
    overrides: answer.described(answer.number, "how much no transaction did: conjured UTXOs, credits, impersonations, uptimes"),
    mempool: answer.described(answer.number, "how many transactions wait"),
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
    const { clock, offset, isFrozen, chainTime, height, blockMode, snapshots, overrides, mempool } = dev.status()
    return {
      clock: clock.toString(),
      offset: offset.toString(),
      frozen: isFrozen,
      chainTime: chainTime.toString(),
      height: height.toString(),
      blockMode: blockModeJson(blockMode),
      snapshots: snapshots.map(({ id, height }) => ({ id, height: height.toString() })),
      overrides,
      mempool,
    }
  },
})
