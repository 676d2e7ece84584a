import { type Block, type BlockBody, blockOf, txsOf } from "../../../src/core/blocks/block.js"
import { chainTimeOf } from "../../../src/core/rules/context.js"
import { tables } from "../../../src/core/state/tables.js"
import type { View } from "../../../src/core/state/view.js"
import type { Tx } from "../../../src/core/txs/tx.js"
import { signTx } from "../../fixtures/keys.js"
import { idOfNumber } from "../../fixtures/state.js"
import type { Random } from "../../fuzz/random.js"

/** The parent of a block. */
export type ParentBlock = Pick<Block, "id" | "height">

/** A block since Banff: with a reward to decide on it is a proposal. */
export function banffBlock({ id: parentID, height }: ParentBlock, time: bigint, txs: readonly Tx[], reward?: Tx): Block {
  const common = { time, txs, parentID, height: height + 1n }
  return blockOf(reward ? { kind: "BanffProposalBlock", ...common, tx: reward } : { kind: "BanffStandardBlock", ...common })
}

/** A block before Banff, of one transaction or several. */
export function apricotBlock(
  { id: parentID, height }: ParentBlock,
  of: { kind: "ApricotProposalBlock" | "ApricotAtomicBlock"; tx: Tx } | { kind: "ApricotStandardBlock"; txs: readonly Tx[] },
): Block {
  return blockOf({ ...of, parentID, height: height + 1n } as BlockBody)
}

/** Makes blocks that differ from a possibly valid block in one field. */
export function spoiledBlocks(block: Block, view: View, random: Random): Block[] {
  const { id: _id, bytes: _bytes, ...body } = block as Block & { time: bigint }
  const { time, parentID, height } = body
  const bodies: BlockBody[] = [
    { ...body, height: height + 1n } as BlockBody,
    { ...body, time: time - BigInt(1 + random.below(100)) } as BlockBody,
    { ...body, parentID: random.pick([...view.rows(tables.blockIDs)])[1] } as BlockBody,
    { kind: "BanffCommitBlock", time, parentID, height },
    { kind: "ApricotCommitBlock", parentID, height },
    { kind: "ApricotStandardBlock", parentID, height, txs: [] },
    { kind: "BanffStandardBlock", time, parentID, height, txs: [] },
    { kind: "BanffStandardBlock", time: chainTimeOf(view), parentID, height, txs: [] },
    { kind: "BanffProposalBlock", time, parentID, height, txs: [], tx: someProposal(view, time, random) },
    ...txsOf(block).map((tx): BlockBody => ({ kind: "BanffProposalBlock", time, parentID, height, txs: [], tx })),
  ]
  return bodies.map((each) => blockOf(each)).filter(({ id }) => id !== block.id)
}

function someProposal(view: View, time: bigint, random: Random): Tx {
  if (random.below(5) === 0) return signTx({ kind: "AdvanceTimeTx", time }, [])
  const stakers = [...view.rows(tables.currentStakers)].map(([{ txID }]) => txID)
  const txID = random.pick([...stakers, ...stakers.slice(0, 1), idOfNumber(0), idOfNumber(7)])
  const timestamp = random.pick([time, time, time, time - 1n, time + 1n, 0n])
  if (random.below(2) === 0) return signTx({ kind: "RewardAutoRenewedValidatorTx", txID, timestamp }, [])
  return signTx({ kind: "RewardValidatorTx", txID }, [])
}

/** Makes blocks that are no valid option of a proposal. */
export function spoiledOptions(option: Block): Block[] {
  const { id: _id, bytes: _bytes, ...body } = option as Block & { time?: bigint }
  const { parentID, height, time = 0n } = body
  const wrong = body.time === undefined ? { ...body, height: height + 1n } : { ...body, time: time - 1n }
  return [blockOf(wrong as BlockBody), blockOf({ kind: "BanffStandardBlock", time, parentID, height, txs: [] })]
}
