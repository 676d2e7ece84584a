import { tables } from "../../state/tables.js"
import { method } from "../method.js"
import { encoding, object, u64, withDefault } from "../schema.js"
import { blockAnswer, encodedBlock } from "./blocks.js"
import { platformError } from "./errors.js"

export const getBlockByHeight = method({
  name: "platform.getBlockByHeight",
  summary: "The accepted block at a height; 0, and so the genesis block, if none is named.",
  params: object({ height: withDefault(u64, 0n), encoding: withDefault(encoding, "hex") }),
  result: blockAnswer,
  examples: [],

  handler({ height, encoding }, context) {
    const blockID = context.view.get(tables.blockIDs, height)
    if (blockID === undefined) throw platformError("platform.unknown_block", { height })
    const bytes = context.view.get(tables.blocks, blockID)
    if (!bytes) throw new Error(`block ${blockID} is missing`)
    return encodedBlock(bytes, encoding, context)
  },
})
