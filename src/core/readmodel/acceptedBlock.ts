import { requireBlock } from "../blocks/acceptedBlocks.js"
import { type Block, txsOf } from "../blocks/block.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import type { Tx } from "../txs/tx.js"
import type { Utxo } from "../types/utxo.js"

export interface AcceptedBlock {
  readonly height: bigint
  /** The chain's time after it, Unix seconds; for a proposal, the time after its option. */
  readonly time: bigint
  readonly txs: readonly PlacedTx[]
}

export interface PlacedTx {
  readonly tx: Tx
  readonly height: bigint
  /** Its index among the transactions of the block, in the order of their execution. */
  readonly index: number
  /** False for a proposal that was aborted. */
  readonly isCommitted: boolean
}

/** The parts of a genesis that the read model needs. `Genesis` has them. */
export interface ReadModelGenesis {
  /** Unix seconds. */
  readonly timestamp: bigint
  readonly utxos: readonly Utxo[]
  readonly validators: readonly Tx[]
  readonly chains: readonly Tx[]
}

/** Returns genesis as the first accepted block. Its transactions are in no real block. */
export function genesisBlock({ timestamp, validators, chains }: ReadModelGenesis): AcceptedBlock {
  const txs = [...validators, ...chains].map((tx, index) => ({ tx, height: 0n, index, isCommitted: true }))
  return { height: 0n, time: timestamp, txs }
}

/** Returns the blocks that were accepted together: one block, or a proposal and its option. `time` is the chain's time after them. */
export function acceptedTogether(blocks: readonly Block[], time: bigint): AcceptedBlock[] {
  const isAborted = blocks.at(-1)?.kind.endsWith("AbortBlock") === true
  return blocks.map((block) => ({ height: block.height, time, txs: placedTxs(block, isAborted) }))
}

function placedTxs(block: Block, isAborted: boolean): PlacedTx[] {
  const proposed = proposalOf(block)
  return txsOf(block).map((tx, index) => ({ tx, height: block.height, index, isCommitted: !(isAborted && tx === proposed) }))
}

export function proposalOf(block: Block): Tx | undefined {
  return block.kind === "ApricotProposalBlock" || block.kind === "BanffProposalBlock" ? block.tx : undefined
}

/** Returns all accepted blocks of a state, genesis first, or those after one of them. A proposal is returned together with its option. */
export function* acceptedBlocks(
  view: View,
  genesis: ReadModelGenesis,
  after?: Pick<AcceptedBlock, "height" | "time">,
): Iterable<AcceptedBlock[]> {
  if (!after) yield [genesisBlock(genesis)]
  let time = after?.time ?? genesis.timestamp
  let proposal: Block | undefined
  for (const [, blockID] of view.rows(tables.blockIDs, { from: (after?.height ?? 0n) + 1n })) {
    const block = requireBlock(view, blockID)
    if (proposalOf(block)) {
      proposal = block
      continue
    }
    const blocks = proposal ? [proposal, block] : [block]
    time = timeAfter(blocks, time)
    yield acceptedTogether(blocks, time)
    proposal = undefined
  }
}

/** Returns the chain's time after blocks. Since Banff a block contains it; before, a committed transaction set it. */
function timeAfter(blocks: readonly Block[], before: bigint): bigint {
  const [first, last] = [blocks[0] as Block, blocks.at(-1) as Block]
  if ("time" in last) return last.time
  const proposed = proposalOf(first)?.unsignedTx
  return last.kind === "ApricotCommitBlock" && proposed?.kind === "AdvanceTimeTx" ? proposed.time : before
}
