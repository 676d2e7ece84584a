import { requireBlock } from "../blocks/acceptedBlocks.js"
import { type Block, txsOf } from "../blocks/block.js"
import { END_STEP, type Fact, stepOfTx, TIME_STEP } from "../state/facts.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import type { Tx } from "../txs/tx.js"
import type { ID } from "../types/id.js"
import type { Utxo } from "../types/utxo.js"

export interface AcceptedBlock {
  readonly height: bigint
  /** The chain's time after it, Unix seconds; for a proposal, the time after its option. */
  readonly time: bigint
  readonly txs: readonly PlacedTx[]
  /** What it did beyond its transactions, except for what belongs to one of them. */
  readonly facts: readonly Fact[]
}

export interface PlacedTx {
  readonly tx: Tx
  readonly height: bigint
  /** Its index among the transactions of the block, in the order of their execution. */
  readonly index: number
  /** False for a proposal that was aborted. */
  readonly isCommitted: boolean
  /** What the block did beyond its transactions while it executed this one. */
  readonly facts: readonly Fact[]
}

/** The parts of a genesis that the read model needs. `Genesis` has them. */
export interface ReadModelGenesis {
  /** Unix seconds. */
  readonly timestamp: bigint
  body(): { readonly utxos: readonly Utxo[]; readonly validators: readonly Tx[]; readonly chains: readonly Tx[] }
}

/** Returns genesis as the first accepted block. Its transactions are in no real block. */
export function genesisBlock(genesis: ReadModelGenesis): AcceptedBlock {
  const { validators, chains } = genesis.body()
  const txs = [...validators, ...chains].map((tx, index) => ({ tx, height: 0n, index, isCommitted: true, facts: [] }))
  return { height: 0n, time: genesis.timestamp, txs, facts: [] }
}

/**
 * Returns the blocks that were accepted together: one block, or a proposal and its option. `time` is the chain's time after them, and the view
 * has their facts.
 */
export function acceptedTogether(view: View, blocks: readonly Block[], time: bigint): AcceptedBlock[] {
  const isAborted = blocks.at(-1)?.kind.endsWith("AbortBlock") === true
  // An option executes nothing.
  return blocks.map((block, i) => {
    const facts = i === 0 ? factsAt(view, block.height) : NO_FACTS
    const others = facts.filter(({ step }) => step === TIME_STEP || step === END_STEP)
    return { height: block.height, time, txs: placedTxs(block, facts, isAborted), facts: others }
  })
}

const NO_FACTS: readonly Fact[] = []

/** Returns what the block of a height did beyond its transactions. */
export const factsAt = (view: View, height: bigint): readonly Fact[] => view.get(tables.facts, height) ?? NO_FACTS

/** Returns the transactions of a block with their places and facts. */
export function placedTxs(block: Block, facts: readonly Fact[], isAborted: boolean): PlacedTx[] {
  const { height } = block
  const proposed = proposalOf(block)
  const byStep = new Map<number, Fact[]>()
  for (const fact of facts) byStep.set(fact.step, [...(byStep.get(fact.step) ?? []), fact])
  return txsOf(block).map((tx, index) => {
    const isCommitted = !(isAborted && tx === proposed)
    return { tx, height, index, isCommitted, facts: byStep.get(stepOfTx(index)) ?? NO_FACTS }
  })
}

/** Returns what the block of a height did beyond its transactions while it executed one of them. */
export function factsOfTx(view: View, txID: ID, height: bigint): readonly Fact[] {
  const facts = factsAt(view, height)
  const blockID = facts.length > 0 ? view.get(tables.blockIDs, height) : undefined
  const placed = blockID && placedTxs(requireBlock(view, blockID), facts, false).find(({ tx }) => tx.id === txID)
  return placed?.facts ?? NO_FACTS
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
    yield acceptedTogether(view, blocks, time)
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
