import { feePaid } from "../../txs/amounts.js"
import type { UnsignedTx } from "../../txs/unsignedTx.js"
import { unlockedInput } from "../../types/input.js"
import { innerOutput } from "../../types/output.js"
import type { RowContext, TxPlace } from "../rowContext.js"
import { sqlTables } from "../tables.js"

const NO_MEMO = new Uint8Array(0)

/** Adds a transaction, and the amounts that it imports from or exports to other chains. */
export function addTx(context: RowContext, place: TxPlace): void {
  const { rows, texts, rules } = context
  const { tx, index, isCommitted, height, time } = place
  const { unsignedTx } = tx
  rows.add(sqlTables.txs, {
    tx_id: texts.id(tx.id),
    height,
    tx_index: index,
    time,
    kind: unsignedTx.kind,
    status: isCommitted ? "committed" : "aborted",
    fee: feePaid(unsignedTx, rules.avaxAssetID),
    memo: "memo" in unsignedTx ? unsignedTx.memo : NO_MEMO,
    size: tx.bytes.length,
  })
  for (const [i, transfer] of transfersOf(unsignedTx).entries()) {
    const { direction, chainID, assetID, amount } = transfer
    const ids = { tx_id: texts.id(tx.id), chain_id: texts.id(chainID), asset_id: texts.id(assetID) }
    rows.add(sqlTables.cross_chain_transfers, { ...ids, transfer_index: i, height, time, direction, amount })
  }
}

function transfersOf(tx: UnsignedTx) {
  if (tx.kind === "ImportTx") {
    const { sourceChain: chainID, importedInputs } = tx
    return importedInputs.map(({ assetID, input }) => ({
      direction: "import",
      chainID,
      assetID,
      amount: unlockedInput(input).amount,
    }))
  }
  if (tx.kind !== "ExportTx") return []
  const { destinationChain: chainID, exportedOutputs } = tx
  return exportedOutputs.map(({ assetID, output }) => ({
    direction: "export",
    chainID,
    assetID,
    amount: innerOutput(output).amount,
  }))
}
