import { chainFactsIn } from "../../chaindata/storedIdentity.js"
import { blockAt } from "../../core/blocks/acceptedBlocks.js"
import { type Block, txsOf } from "../../core/blocks/block.js"
import { encode } from "../../core/codec/decode.js"
import { wrapperTables } from "../../core/consensus/proposer/tables.js"
import { outerBytesAt } from "../../core/consensus/proposer/wrapperStore.js"
import { printRfc3339 } from "../../core/lib/go/rfc3339.js"
import { factsText } from "../../core/networks/chainIdentity.js"
import { hrpOf, isProduction } from "../../core/networks/names.js"
import { blockTime } from "../../core/readmodel/blockTimes.js"
import type { Rules } from "../../core/rules/context.js"
import { isCurrent, isValidator, type Staker } from "../../core/state/staker.js"
import { TxStatus, tables } from "../../core/state/tables.js"
import type { View } from "../../core/state/view.js"
import { valuesOf } from "../../core/state/view.js"
import { feePaid } from "../../core/txs/amounts.js"
import type { Tx } from "../../core/txs/tx.js"
import { addressText } from "../../core/types/address.js"
import { toHexText } from "../../core/types/hexText.js"
import { idText, nodeIDText } from "../../core/types/id.js"
import { innerOutput } from "../../core/types/output.js"
import { type Utxo, utxoID } from "../../core/types/utxo.js"
import { devTables } from "../../producer/tables.js"
import type { Store } from "../../store/store.js"
import { lineOf } from "../../sync/chainLines.js"
import type { ExportPart, ExportRow, ExportTable } from "./exportTable.js"
import { rewardTable, stakeTable } from "./stakingRows.js"

/**
 * Prints a chain as `serac replay` reads it: the facts about it, its genesis where a built-in one may differ, and each block as hex, with
 * its ProposerVM wrapper if the chain has it and with the P-Chain height of its Warp messages if the wrapper does not name it. Overrides
 * of a private chain follow their blocks.
 */
export function* blockLines(view: View, store: Pick<Store, "getMeta">, { from, to }: ExportPart): Iterable<string> {
  // A replay makes genesis itself.
  const first = from > 0n ? from : 1n
  if (first > to && from > 0n) return
  const facts = chainFactsIn(store)
  yield lineOf("chain", factsText(facts))
  const genesis = first === 1n && !isProduction(facts.networkID) ? store.getMeta("genesis") : undefined
  if (genesis && genesis.length < MAX_GENESIS) yield lineOf("genesis", toHexText(genesis))
  const overrides = overrideLines(view, first - 1n)
  yield* overrides(first - 1n)
  for (let height = first; height <= to; height++) {
    const bytes = outerBytesAt(view, height) ?? requireBlockAt(view, height).bytes
    const warpHeight = view.get(wrapperTables.warpHeights, height)
    yield warpHeight === undefined ? toHexText(bytes) : `${toHexText(bytes)} ${warpHeight}`
    yield* overrides(height)
  }
}

/** The size of a genesis that is too long for a line, bytes. */
const MAX_GENESIS = 7 << 20

/** Returns a function that prints the overrides from a height on up to another one, each once. */
function overrideLines(view: View, from: bigint): (upTo: bigint) => Iterable<string> {
  let position = 0n
  return function* (upTo) {
    for (;;) {
      const row = view.get(devTables.overrides, position)
      if (!row || row.height > upTo) return
      if (row.height >= from) yield lineOf("override", `${position} ${toHexText(encode(devTables.overrides.value, row))}`)
      position++
    }
  }
}

/** The tables that can be exported as rows. */
export const exportTables: Readonly<Record<string, ExportTable>> = {
  txs: {
    columns: ["txID", "kind", "status", "height", "index", "timestamp", "blockID", "fee", "size"],
    *rows(view, part) {
      for (const { tx, index, block } of txsIn(view, part)) yield txRow(view, tx, index, block, part.rules)
    },
  },
  utxos: {
    columns: [
      ...["utxoID", "txID", "outputIndex", "assetID", "amount", "addresses", "threshold", "locktime", "stakeableLocktime"],
    ],
    *rows(view, { rules }) {
      for (const utxo of valuesOf(view.rows(tables.utxos))) yield utxoRow(utxo, hrpOf(rules.networkID))
    },
  },
  stakers: {
    columns: ["txID", "state", "role", "nodeID", "subnetID", "weight", "startTime", "endTime", "potentialReward"],
    *rows(view) {
      for (const staker of valuesOf(view.rows(tables.currentStakers))) yield stakerRow(staker)
      for (const staker of valuesOf(view.rows(tables.pendingStakers))) yield stakerRow(staker)
    },
  },
  stakes: stakeTable,
  rewards: rewardTable,
}

function* txsIn(view: View, { from, to }: ExportPart): Iterable<{ tx: Tx; index: number; block: Block }> {
  for (let height = from; height <= to; height++) {
    const block = requireBlockAt(view, height)
    for (const [index, tx] of txsOf(block).entries()) yield { tx, index, block }
  }
}

function txRow(view: View, tx: Tx, index: number, block: Block, { avaxAssetID }: Rules): ExportRow {
  return {
    txID: idText(tx.id),
    kind: tx.unsignedTx.kind,
    status: view.get(tables.txs, tx.id)?.status === TxStatus.aborted ? "Aborted" : "Committed",
    height: block.height,
    index,
    timestamp: printRfc3339(blockTime(view, block.height)),
    blockID: idText(block.id),
    fee: feePaid(tx.unsignedTx, avaxAssetID),
    size: tx.bytes.length,
  }
}

function utxoRow({ txID, outputIndex, assetID, output }: Utxo, hrp: string): ExportRow {
  const { amount, addresses, threshold, locktime } = innerOutput(output)
  return {
    utxoID: idText(utxoID(txID, outputIndex)),
    txID: idText(txID),
    outputIndex,
    assetID: idText(assetID),
    amount,
    addresses: addresses.map((each) => addressText(each, hrp)),
    threshold,
    locktime,
    stakeableLocktime: output.kind === "LockOut" ? output.locktime : 0n,
  }
}

function stakerRow({ txID, nodeID, subnetID, weight, startTime, endTime, potentialReward, priority }: Staker): ExportRow {
  return {
    txID: idText(txID),
    state: isCurrent(priority) ? "active" : "pending",
    role: isValidator(priority) ? "validator" : "delegator",
    nodeID: nodeIDText(nodeID),
    subnetID: idText(subnetID),
    weight,
    startTime: printRfc3339(startTime),
    endTime: printRfc3339(endTime),
    potentialReward,
  }
}

function requireBlockAt(view: View, height: bigint): Block {
  const block = blockAt(view, height)
  if (!block) throw new Error(`block ${height} is missing`)
  return block
}
