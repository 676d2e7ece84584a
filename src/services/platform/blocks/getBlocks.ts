import { blockAt } from "../../../core/blocks/acceptedBlocks.js"
import { txsOf } from "../../../core/blocks/block.js"
import { blockTypes } from "../../../core/blocks/kinds.js"
import { blockTime } from "../../../core/readmodel/blockTimes.js"
import { heightsOf } from "../../../core/readmodel/explorer/moments.js"
import type { PastReader, View } from "../../../core/state/view.js"
import { described, list, optional, string } from "../../../jsonrpc/schema/kinds.js"
import { u32, u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { time } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { id } from "../../kinds.js"
import { cursorOf, cursorOutput, limitOf, placeOf } from "../params/cursors.js"
import { kindsParam, listParams } from "../params/history.js"

const kindNames = blockTypes.map(({ kind }) => kind)

/** Number of transactions on one page. The page ends with the block that reaches it. */
const MAX_TXS = 10_000

/** The block of height 12 in the examples. */
const exampleBlock = {
  blockID: "22jnDxxfzxiPPj6dWzwq3yGeLhJRBZk9WUPYZd6nHrnxDEdfA3",
  parentID: "22xq5ayw8DWcwGUQdL47t9bC7japBrdz6yUHRroDNS2QEAiUR9",
  height: "12",
  kind: "BanffAbortBlock",
  timestamp: "2024-07-30T04:00:06Z",
  size: 54,
  txIDs: [],
}

export const getBlocks = method({
  name: "platform.getBlocks",
  summary:
    "Returns accepted blocks with the IDs of their transactions, newest first. With `kinds` a page may have fewer blocks than the limit and a cursor.",
  isExtension: true,
  params: object({
    fromHeight: described(optional(u64), "The lowest height."),
    toHeight: described(optional(u64), "The highest height, which comes first."),
    kinds: kindsParam("blocks", kindNames),
    ...listParams,
  }),
  result: object({
    blocks: list(
      object({
        blockID: id,
        parentID: id,
        height: u64,
        kind: string,
        timestamp: described(time, "The time of the chain after the block."),
        size: described(u32, "The size of the block in bytes."),
        txIDs: list(id),
      }),
    ),
    cursor: cursorOutput,
  }),
  cost: 3,
  examples: [
    {
      params: { limit: 2 },
      result: {
        blocks: [
          {
            blockID: "w6fssXExFvwu7SUi9faKdrbM1HHghRuEjatQVrvgDH3bJ4tBy",
            parentID: "22jnDxxfzxiPPj6dWzwq3yGeLhJRBZk9WUPYZd6nHrnxDEdfA3",
            height: "13",
            kind: "BanffStandardBlock",
            timestamp: "2024-07-30T04:00:07Z",
            size: 471,
            txIDs: ["2cBL2LWSw7Ngb12128mdMtRsncrhphQE9QKq9gJsJM1ZKTsg2j"],
          },
          exampleBlock,
        ],
        cursor: "12-0",
      },
    },
    {
      params: { fromHeight: 12, toHeight: 12 },
      result: {
        blocks: [exampleBlock],
        cursor: null,
      },
    },
  ],

  async handler({ from, to, fromHeight = 0n, toHeight, kinds, limit: asked, cursor }, context, { pace }) {
    const past = context.past(pace)
    const heights = await heightsOf({ from, to }, past, context.height)
    if (!heights) return { blocks: [], cursor: null }
    const { before } = placeOf(cursor)
    const highest = lower(heights.to ?? context.height, toHeight ?? context.height)
    const start = before && before.height <= highest ? before.height - 1n : highest
    const lowest = heights.from !== undefined && heights.from > fromHeight ? heights.from : fromHeight
    const { blocks, next } = await blocksDown(past, start, lowest, limitOf(asked))
    const wanted = kinds.length === 0 ? blocks : blocks.filter(({ kind }) => kinds.includes(kind))
    return { blocks: wanted, cursor: cursorOf(next === undefined ? undefined : { height: next, index: 0 }) }
  },
})

const lower = (a: bigint, b: bigint): bigint => (a < b ? a : b)

async function blocksDown(past: PastReader, from: bigint, lowest: bigint, limit: number) {
  const count = from < lowest ? 0 : Math.min(limit, Number(from - lowest) + 1)
  const heights = Array.from({ length: count }, (_, i) => from - BigInt(i))
  let txs = 0
  const blocks = await past.each(heights, blockFacts, ({ txIDs }) => {
    txs += txIDs.length
    return txs >= MAX_TXS
  })
  const last = blocks.at(-1)?.height
  return { blocks, next: last === lowest ? undefined : last }
}

function blockFacts(view: View, height: bigint) {
  const block = blockAt(view, height)
  if (!block) throw new Error(`block ${height} is missing`)
  return {
    blockID: block.id,
    parentID: block.parentID,
    height,
    kind: block.kind,
    timestamp: blockTime(view, height),
    size: block.bytes.length,
    txIDs: txsOf(block).map((tx) => tx.id),
  }
}
