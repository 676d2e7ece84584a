import { type Block, decodeBlock, txsOf } from "../blocks/block.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import type { Tx } from "../txs/tx.js"
import type { ID } from "../types/id.js"
import type { Utxo } from "../types/utxo.js"

/** One block as history tells it. */
export interface Chapter {
  readonly height: bigint
  /** The chain's time after it, Unix seconds; a proposal has its option's. */
  readonly time: bigint
  readonly txs: readonly PlacedTx[]
}

/** A transaction in its place. */
export interface PlacedTx {
  readonly tx: Tx
  /** Which of its block's transactions it is, in the order they ran. */
  readonly index: number
  /** False where a proposal lost. */
  readonly isCommitted: boolean
}

/** What the read model asks of a genesis. `Genesis` has it. */
export interface GenesisFacts {
  readonly block: Block
  /** Unix seconds. */
  readonly timestamp: bigint
  readonly utxos: readonly Utxo[]
  readonly validators: readonly Tx[]
  readonly chains: readonly Tx[]
}

/** Genesis as the first chapter: its transactions stand in no block. */
export function genesisChapter({ timestamp, validators, chains }: GenesisFacts): Chapter {
  const txs = [...validators, ...chains].map((tx, index) => ({ tx, index, isCommitted: true }))
  return { height: 0n, time: timestamp, txs }
}

/** The chapters of what was accepted together: a block, or a proposal and its option. `time` is the chain's after them. */
export function chaptersOf(blocks: readonly Block[], time: bigint): Chapter[] {
  const isAborted = blocks.at(-1)?.kind.endsWith("AbortBlock") === true
  return blocks.map((block) => ({ height: block.height, time, txs: placedTxs(block, isAborted) }))
}

function placedTxs(block: Block, isAborted: boolean): PlacedTx[] {
  const proposed = proposalOf(block)
  return txsOf(block).map((tx, index) => ({ tx, index, isCommitted: !(isAborted && tx === proposed) }))
}

/** The transaction that a block puts to the vote. */
function proposalOf(block: Block): Tx | undefined {
  return block.kind === "ApricotProposalBlock" || block.kind === "BanffProposalBlock" ? block.tx : undefined
}

/** The whole history that a state keeps, genesis first. What was accepted together comes together. */
export function* historyOf(view: View, genesis: GenesisFacts): Iterable<Chapter[]> {
  yield [genesisChapter(genesis)]
  let time = genesis.timestamp
  let proposal: Block | undefined
  for (const [height, blockID] of view.rows(tables.blockIDs)) {
    if (height === 0n) continue
    const block = requireBlock(view, blockID)
    if (proposalOf(block)) {
      proposal = block
      continue
    }
    const blocks = proposal ? [proposal, block] : [block]
    time = timeAfter(blocks, time)
    yield chaptersOf(blocks, time)
    proposal = undefined
  }
}

function requireBlock(view: View, blockID: ID): Block {
  const bytes = view.get(tables.blocks, blockID)
  if (!bytes) throw new Error(`the state names block ${blockID} and does not have it`)
  return decodeBlock(bytes, {})
}

/** Blocks carry the time since Banff; before, a committed transaction moved it. */
function timeAfter(blocks: readonly Block[], before: bigint): bigint {
  const [first, last] = [blocks[0] as Block, blocks.at(-1) as Block]
  if ("time" in last) return last.time
  const proposed = proposalOf(first)?.unsignedTx
  return last.kind === "ApricotCommitBlock" && proposed?.kind === "AdvanceTimeTx" ? proposed.time : before
}
