import { blockBytesAt } from "../../../core/blocks/acceptedBlocks.js"
import { tables } from "../../../core/state/tables.js"
import { described, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"
import { encoding } from "../../kinds.js"
import { ofBlock } from "../../lifetimes.js"
import { platformError } from "../errors.js"
import { blockOutput, encodedBlock } from "./encodedBlock.js"

export const getBlockByHeight = method({
  name: "platform.getBlockByHeight",
  summary: "Returns the accepted block at the given height, or the genesis block if no height is given.",
  params: object({
    height: described(withDefault(u64, 0n), "The height of the block; 0 is genesis."),
    encoding: described(withDefault(encoding, "hex"), "The encoding of the result."),
  }),
  result: blockOutput,
  lifetime: ofBlock(({ height }: { readonly height: bigint }, { view }) => {
    const id = view.get(tables.blockIDs, height)
    return id && { id }
  }),
  examples: [
    {
      title: "the genesis block",
      params: { height: 0 },
      result: {
        block: "0x000000000002ead4959a97aff56a3c7e3153143036183c9d18bbbe44a658b459a524e1ad74f20000000000000000c6de7c3d",
        encoding: "hex",
      },
    },
    {
      title: "as JSON",
      params: { height: 10, encoding: "json" },
      result: {
        block: {
          time: 1722225607,
          parentID: "2gBt9dK95HXKNhADCPBATtQMbuDVBqj68fzU5F5WQgUqom4Y2T",
          height: 10,
          id: "R9MdN3N9AZJyn3hZfnVVQoP57aKWPezT4QR6nngkXz2HF7Mb8",
          txs: [],
        },
        encoding: "json",
      },
    },
  ],

  async handler({ height, encoding }, context, { pace }) {
    const found = await context.past(pace).read((view) => blockBytesAt(view, height))
    if (!found) throw platformError("platform.unknown_block", { height })
    return encodedBlock(found.bytes, encoding)
  },
})
