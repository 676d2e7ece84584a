import { list } from "../codec/list.js"
import { u64 } from "../codec/primitives.js"
import { tx } from "../txs/tx.js"
import { commonFields, defineBlock } from "./defineBlock.js"
import { blockError } from "./errors.js"
import { atBlockTime, processTxs } from "./steps.js"

/** Advances time and executes transactions. From Banff. */
export const banffStandardBlock = defineBlock({
  kind: "BanffStandardBlock",
  typeID: 32,
  fields: { time: u64, ...commonFields, txs: list(tx) },
  txs: (block) => block.txs,

  execute(block, parent, blockContext) {
    const { diff, changed, execution } = atBlockTime(block.time, parent, blockContext)
    const { imports, evicted } = processTxs(block.txs, block.height, diff, execution)
    if (!changed && !evicted && block.txs.length === 0) throw blockError("block.no_changes")
    return { kind: "decided", diff, imports }
  },
})
