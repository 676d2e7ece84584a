import { toHexText } from "../../../../src/core/types/hexText.js"
import { idText } from "../../../../src/core/types/id.js"
import { EMPTY, type MethodsFixture, NOWHERE, time } from "../fixture.js"
import { both, differ, missing, refusalText, refused, type Table } from "../table.js"
import { END } from "../when.js"

/** Cases of the methods about blocks and the height. */
export function blockCases({ height, blockAt, decisionOn, id, heightOf }: MethodsFixture): Table {
  const tip = blockAt(height)
  const genesis = blockAt(0)
  const proposed = heightOf("remaining") + 9
  const [proposal, abort] = [blockAt(proposed), blockAt(proposed + 1)]
  const json = { encoding: "json" }
  /** A block's members that all blocks have. */
  const common = (block: typeof tip) => ({ parentID: idText(block.parentID), height: Number(block.height), id: idText(block.id) })
  const abortJson = { ...common(abort), time: Number(END) - 72_000 }
  const decision = { unsignedTx: { txID: id("refused") }, credentials: [], id: decisionOn("refused") }
  const proposalJson = { ...common(proposal), time: Number(END) - 72_000, txs: [], tx: decision }
  const hexOf = ({ bytes }: typeof tip) => ({ block: toHexText(bytes), encoding: "hex" })

  return {
    "platform.getHeight": { takes: {}, normal: [both(undefined, { height: String(height) })] },
    "platform.getProposedHeight": { takes: {}, normal: [both(undefined, { height: String(height) })] },
    "platform.getTimestamp": {
      takes: {},
      // D2
      normal: [differ(undefined, { time: time(END), timestamp: time(END) }, { timestamp: time(END) })],
    },
    "platform.getBlock": {
      takes: { blockID: "ID", encoding: "encoding" },
      normal: [both({ blockID: idText(tip.id) }, hexOf(tip)), both({ blockID: idText(genesis.id) }, hexOf(genesis))],
      "all parameters": [
        ...(["hex", "hexc", "hexnc"] as const).map((encoding) =>
          both({ blockID: idText(tip.id), encoding }, { block: toHexText(tip.bytes, encoding), encoding }),
        ),
        both({ blockID: idText(tip.id), encoding: "HexNC" }, { block: toHexText(tip.bytes, "hexnc"), encoding: "hexnc" }),
        // D19: the contract's blocks all have their transactions in one member.
        both({ blockID: idText(proposal.id), ...json }, { block: proposalJson, ...json }),
        differ(
          { blockID: idText(abort.id), ...json },
          { block: { ...abortJson, txs: [] }, ...json },
          { block: abortJson, ...json },
        ),
      ],
      "omitted parameters": [missing("blockID", refusalText(`couldn't get block with id ${EMPTY}: not found`))],
      errors: [
        refused(
          { blockID: NOWHERE },
          "platform.unknown_block",
          { blockID: NOWHERE },
          `couldn't get block with id ${NOWHERE}: not found`,
        ),
      ],
    },
    "platform.getBlockByHeight": {
      takes: { height: "u64", encoding: "encoding" },
      normal: [both({ height }, hexOf(tip)), both({ height: `00${height}` }, hexOf(tip))],
      "all parameters": [
        both({ height, encoding: "hexnc" }, { block: toHexText(tip.bytes, "hexnc"), encoding: "hexnc" }),
        both({ height: proposed, ...json }, { block: proposalJson, ...json }),
        differ({ height: proposed + 1, ...json }, { block: { ...abortJson, txs: [] }, ...json }, { block: abortJson, ...json }),
        differ({ height: 0, ...json }, { block: { ...common(genesis), txs: [] }, ...json }, { block: common(genesis), ...json }),
      ],
      // The default is genesis, not the latest block.
      "omitted parameters": [both({}, hexOf(genesis)), both(undefined, hexOf(genesis))],
      errors: [height + 1, 2n ** 64n - 1n].map((ahead) =>
        refused(
          { height: ahead },
          "platform.unknown_block",
          { height: ahead },
          `couldn't get block at height ${ahead}: not found`,
        ),
      ),
    },
  }
}
