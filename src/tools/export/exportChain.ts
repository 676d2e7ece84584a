import { type Block, txsOf } from "../../core/blocks/block.js"
import type { ChainBound } from "../../core/lib/chainBound.js"
import { printRfc3339 } from "../../core/lib/go/rfc3339.js"
import { neverPausing } from "../../core/lib/pace.js"
import { hrpOf } from "../../core/networks/names.js"
import { blockTime } from "../../core/readmodel/blockTimes.js"
import { heightsOf } from "../../core/readmodel/explorer/moments.js"
import { hasExplorerRows } from "../../core/readmodel/explorer/projectExplorer.js"
import { historyGap } from "../../core/readmodel/historyGap.js"
import type { Rules } from "../../core/rules/context.js"
import { pastOf } from "../../core/state/pastReader.js"
import { isCurrent, isValidator, type Staker } from "../../core/state/staker.js"
import { heightOf, TxStatus, tables } from "../../core/state/tables.js"
import { type View, valuesOf } from "../../core/state/view.js"
import { feePaid } from "../../core/txs/amounts.js"
import type { Tx } from "../../core/txs/tx.js"
import { addressText, parsePChainAddress } from "../../core/types/address.js"
import { idText, nodeIDText } from "../../core/types/id.js"
import { innerOutput } from "../../core/types/output.js"
import { type Utxo, utxoID } from "../../core/types/utxo.js"
import { nodeError } from "../../datadir/errors.js"
import type { OpenStore } from "../../datadir/openStore.js"
import { storedChain } from "../../datadir/storedChain.js"
import { reportPChainOnly } from "../../hosting/chainRecord.js"
import { openToRead } from "../../sources/fork/forkBase.js"
import { blockLines } from "./blockLines.js"
import { type ExportRow, type ExportTable, requireBlockAt } from "./exportTable.js"
import { rewardTable, stakeTable } from "./stakingRows.js"

export interface ExportOptions {
  readonly dataDir: string
  /** The first and the last block; all blocks by default. */
  readonly from?: ChainBound | undefined
  readonly to?: ChainBound | undefined
  /** The addresses whose rewards or stakes are exported, as text; all by default. */
  readonly addresses?: readonly string[]
  /** Logs that all rows of a large store are read first, see `OpenStore`. */
  readonly log?: OpenStore["log"]
}

export type Export =
  | { readonly kind: "lines"; readonly lines: Iterable<string> }
  | { readonly kind: "rows"; readonly columns: ExportTable["columns"]; readonly rows: ReturnType<ExportTable["rows"]> }

/** Reads a part of a chain at one moment, also while a node runs. Throws `store.*`, `node.future_height`, `node.no_history`, `types.*`. */
export async function exportChain(what: string, options: ExportOptions, use: (found: Export) => Promise<void>): Promise<void> {
  const store = await openToRead(options.dataDir, options.log)
  if (options.log) reportPChainOnly(store, options.dataDir, options.log)
  const view = store.view()
  try {
    const { rules, genesis } = storedChain(store)
    const tip = heightOf(view)
    requireReached(options.to, tip, tip)
    // An export that continues behind the last block finds nothing yet.
    requireReached(options.from, tip + 1n, tip)
    const heights = await heightsOf(options, pastOf(view, neverPausing), tip)
    const { addresses: texts = [] } = options
    const addresses =
      texts.length === 0 ? undefined : new Set(texts.map((text) => parsePChainAddress(text, hrpOf(rules.networkID))))
    const range = heights ? { from: heights.from ?? 0n, to: heights.to ?? tip } : { from: 1n, to: 0n }
    const part = { ...range, addresses, rules, genesis }
    if (what === "stakes" || addresses) requireHistory(view, range.to)
    const table = exportTables[what]
    await use(
      table
        ? { kind: "rows", columns: table.columns, rows: table.rows(view, part) }
        : { kind: "lines", lines: blockLines(view, store, part) },
    )
  } finally {
    view.release()
    await store.close()
  }
}

function requireReached(bound: ChainBound | undefined, highest: bigint, lastAccepted: bigint): void {
  if (bound?.kind !== "height" || bound.value <= highest) return
  throw nodeError("node.future_height", { height: bound.value, lastAccepted })
}

function requireHistory(view: View, height: bigint): void {
  const gap = historyGap(view)
  if (gap && height >= gap.height) throw nodeError("node.history_incomplete", { missingFrom: gap.height })
  if (!hasExplorerRows(view, height)) throw nodeError("node.no_history")
}

/** The tables that can be exported as rows. */
const exportTables: Readonly<Record<string, ExportTable>> = {
  txs: {
    columns: ["txID", "kind", "status", "height", "index", "timestamp", "blockID", "fee", "size"],
    *rows(view, { from, to, rules }) {
      for (let height = from; height <= to; height++) {
        const block = requireBlockAt(view, height)
        for (const [index, tx] of txsOf(block).entries()) yield txRow(view, tx, index, block, rules)
      }
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
