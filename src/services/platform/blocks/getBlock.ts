import { tables } from "../../../core/state/tables.js"
import { type ID, idText } from "../../../core/types/id.js"
import { described, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"
import { encoding, id } from "../../kinds.js"
import { ofBlock } from "../../lifetimes.js"
import { platformError } from "../errors.js"
import { exampleTxJson } from "../txs/exampleTx.js"
import { blockOutput, encodedBlock } from "./encodedBlock.js"

export const getBlock = method({
  name: "platform.getBlock",
  summary:
    "Returns the block with the given ID, accepted or verified. The ID is that of the P-Chain block, not that of its ProposerVM wrapper.",
  params: object({
    blockID: described(id, "The ID of the block."),
    encoding: described(withDefault(encoding, "hex"), "The encoding of the result."),
  }),
  result: blockOutput,
  lifetime: ofBlock(({ blockID }: { readonly blockID: ID }, { view }) => view.get(tables.blocks, blockID) && { id: blockID }),
  examples: [
    {
      params: { blockID: "2N3FcTtu4ADPZTJhfVSmPxA2mpcv3jdKSi1A5hH9ZUKsyAtAma", encoding: "json" },
      result: {
        block: {
          time: 1721016002,
          parentID: "RCW7r4XEJdMwv2KrEJmRQ47cqT321wZGz6r6FNs1MPd9Td6YJ",
          height: 2,
          id: "2N3FcTtu4ADPZTJhfVSmPxA2mpcv3jdKSi1A5hH9ZUKsyAtAma",
          txs: [exampleTxJson],
        },
        encoding: "json",
      },
    },
  ],

  async handler({ blockID, encoding }, context, { pace }) {
    const accepted = await context.past(pace).read((view) => view.get(tables.blocks, blockID))
    const bytes = accepted ?? context.node.undecidedBlock?.(blockID)?.bytes
    if (!bytes) throw platformError("platform.unknown_block", { blockID: idText(blockID) })
    return encodedBlock(bytes, encoding)
  },
})
