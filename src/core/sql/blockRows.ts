import { requireBlock } from "../blocks/acceptedBlocks.js"
import { type Block, txsOf } from "../blocks/block.js"
import { wrapperTables } from "../consensus/proposer/tables.js"
import type { Pace } from "../lib/pace.js"
import { type AcceptedBlock, acceptedTogether, genesisBlock, proposalOf } from "../readmodel/acceptedBlock.js"
import { blockTime } from "../readmodel/blockTimes.js"
import { subnetIDs } from "../readmodel/chains.js"
import { historyGap } from "../readmodel/historyGap.js"
import { feePricesAfter } from "../rules/feePrices.js"
import { heightOf, tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { EMPTY_ID, type ID, PRIMARY_NETWORK_ID } from "../types/id.js"
import { HistoryRows } from "./historyRows.js"
import { addOverrides, type PublishedOverride } from "./overrideRows.js"
import type { OwnerCache, PublishedChainFacts, PublishedRange, RowContext, TxPlace } from "./rowContext.js"
import { addAddressHistory, addOutput, addTx, receivedOf } from "./rows/moneyRows.js"
import { addEnd, addSetChanges, addStaking, addTerms } from "./rows/stakerRows.js"
import { addL1Validators, addRunOut, addSubnets } from "./rows/subnetRows.js"
import { RowBatch } from "./sqlTable.js"
import { sqlTables } from "./tables.js"

export interface BlockPlace {
  readonly height: bigint
  readonly id: ID
  /** The time of the chain after the block, Unix seconds. */
  readonly time: bigint
}

/** The rows of blocks that follow each other, and the last of these blocks. */
export interface PublishedPart {
  readonly last: BlockPlace
  readonly rows: RowBatch
}

/** Limits of a part. A proposal is never separated from its option. */
export interface PartLimits {
  readonly blocks: number
  /** The number of bytes of all rows. A larger block is a part of its own. */
  readonly size: number
}

export interface RowsOptions extends PublishedChainFacts {
  readonly limits: PartLimits
  readonly owners: OwnerCache
  /** Returns the overrides of a private chain after the block of a height; by default there are none. */
  overridesAt?(height: bigint): readonly PublishedOverride[]
}

/** Collects the rows of the blocks of a snapshot from a height on; `undefined` if the chain or its history has no such block. */
export async function rowsFrom(
  view: View,
  from: bigint,
  { limits, overridesAt = () => [], ...facts }: RowsOptions,
  pace: Pace,
): Promise<PublishedPart | undefined> {
  const rows = new RowBatch()
  const context: RowContext = { ...facts, view, rows }
  const history = new HistoryRows(context)
  let blocks = 0
  let last: BlockPlace | undefined
  let waiting: Block[] = []
  const end = historyGap(view)?.height
  for (let height = from; ; height++) {
    // An iteration over the table would keep it open while other work runs.
    const id = view.get(tables.blockIDs, height)
    if (id === undefined || height === end) break
    const block = requireBlock(view, id)
    waiting.push(block)
    if (proposalOf(block)) continue
    last = placeAt(view, height, id)
    for (const each of placedBlocks(context, waiting, last.time)) {
      blocks++
      addBlock(context, each)
      const overrides = overridesAt(each.height)
      addOverrides(context, overrides)
      const outputs = overrides.flatMap(({ utxo }) => utxo ?? [])
      history.addOverridden(each.height, outputs)
      if (each.height === 0n) history.addGenesis(facts.genesisEdits)
      else history.addBlock(each)
    }
    waiting = []
    if (blocks >= limits.blocks || rows.size >= limits.size) break
    if (pace.isDue) await pace.pause()
  }
  if (!last) return undefined
  history.addSetChanges(from > 0n ? from : 1n, last.height)
  addRange(context, { from, to: last.height })
  return { last, rows }
}

/** Returns the height at which the rows of a block begin: its own, or that of the proposal that it decides. */
export function groupStart(view: View, height: bigint): bigint {
  const before = height > 1n ? view.get(tables.blockIDs, height - 1n) : undefined
  return before !== undefined && proposalOf(requireBlock(view, before)) ? height - 1n : height
}

interface PlacedBlock extends AcceptedBlock {
  readonly block: Block
  readonly txs: readonly TxPlace[]
}

/** Returns blocks that were accepted together, with their transactions. Genesis has transactions that are in no block. */
function placedBlocks({ genesis, view }: RowContext, blocks: readonly Block[], time: bigint): PlacedBlock[] {
  const accepted = blocks[0]?.height === 0n ? [genesisBlock(genesis)] : acceptedTogether(view, blocks, time)
  return accepted.map(({ height, txs, facts }, i) => ({
    block: blocks[i] as Block,
    height,
    time,
    facts,
    txs: txs.map((placed) => ({ ...placed, time })),
  }))
}

export function placeAt(view: View, height: bigint, id = view.get(tables.blockIDs, height)): BlockPlace {
  if (id === undefined) throw new Error(`the chain has no block of height ${height}`)
  return { height, id, time: blockTime(view, height) }
}

function addBlock(context: RowContext, { block, height, time, txs, facts }: PlacedBlock): void {
  addHeader(context, block, time)
  if (height === 0n) addGenesisOutputs(context, time)
  for (const place of txs) {
    addTx(context, place)
    addStaking(context, place)
    addSubnets(context, place)
    addL1Validators(context, place)
  }
  for (const fact of facts) {
    if (fact.kind === "departure") addEnd(context, fact, { height, time, endedBy: undefined })
    if (fact.kind === "runOut") addRunOut(context, fact, { height, time })
  }
}

function addGenesisOutputs(context: RowContext, time: bigint): void {
  const { utxos } = context.genesis.body()
  for (const utxo of utxos) addOutput(context, utxo, { height: 0n, createdBy: undefined, kind: "genesis" })
  addAddressHistory(context, { txID: EMPTY_ID, kind: "Genesis", height: 0n, txIndex: -1, time }, utxos.map(receivedOf))
}

function addHeader({ rows, texts, view, rules }: RowContext, block: Block, time: bigint): void {
  const { height, id, parentID, kind, bytes } = block
  const wrapperID = view.get(wrapperTables.wrapperIDs, height)
  const wrapper = wrapperID === undefined ? undefined : view.get(wrapperTables.wrappers, wrapperID)
  const prices = feePricesAfter(view, rules, height, heightOf(view))
  rows.add(sqlTables.blocks, {
    height,
    block_id: texts.id(id),
    parent_id: texts.id(parentID),
    time,
    kind: height === 0n ? "Genesis" : kind,
    tx_count: txsOf(block).length,
    size: bytes.length,
    gas_price: prices?.gas ?? null,
    validator_price: prices?.validator ?? null,
    bytes,
    wrapper_id: wrapperID === undefined ? null : texts.id(wrapperID),
    wrapper_head: wrapper?.head ?? null,
    wrapper_tail: wrapper?.tail ?? null,
    warp_height: view.get(wrapperTables.warpHeights, height) ?? null,
  })
}

/** Adds the rows that the state lists by subnet and height. */
function addRange(context: RowContext, range: PublishedRange): void {
  addTerms(context, range)
  for (const subnetID of [PRIMARY_NETWORK_ID, ...subnetIDs(context.view)]) {
    addSetChanges(context, subnetID, range)
  }
}
