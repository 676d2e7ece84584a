import { feePaid } from "../../txs/amounts.js"
import { unlockedInput } from "../../types/input.js"
import { innerOutput } from "../../types/output.js"
import type { RowContext, TxPlace } from "../rowContext.js"
import { sqlTables } from "../tables.js"

const NO_MEMO = new Uint8Array(0)

/** Adds a transaction, and the amounts that it imports from or exports to other chains. */
export function addTx(context: RowContext, place: TxPlace): void {
  const { rows, texts, avaxAssetID } = context
  const { tx, index, isCommitted, height, time } = place
  const { unsignedTx } = tx
  rows.add(sqlTables.txs, {
    tx_id: texts.id(tx.id),
    height,
    tx_index: index,
    time,
    kind: unsignedTx.kind,
    status: isCommitted ? "committed" : "aborted",
    fee: feePaid(unsignedTx, avaxAssetID),
    memo: "memo" in unsignedTx ? unsignedTx.memo : NO_MEMO,
    size: tx.bytes.length,
  })
  if (unsignedTx.kind === "ImportTx") {
    const chain_id = texts.id(unsignedTx.sourceChain)
    for (const [i, { assetID, input }] of unsignedTx.importedInputs.entries()) {
      addTransfer(context, place, {
        i,
        direction: "import",
        chain_id,
        asset_id: texts.id(assetID),
        amount: unlockedInput(input).amount,
      })
    }
  }
  if (unsignedTx.kind === "ExportTx") {
    const chain_id = texts.id(unsignedTx.destinationChain)
    for (const [i, { assetID, output }] of unsignedTx.exportedOutputs.entries()) {
      addTransfer(context, place, {
        i,
        direction: "export",
        chain_id,
        asset_id: texts.id(assetID),
        amount: innerOutput(output).amount,
      })
    }
  }
}

interface Transfer {
  readonly i: number
  readonly direction: string
  readonly chain_id: string
  readonly asset_id: string
  readonly amount: bigint
}

function addTransfer({ rows, texts }: RowContext, { tx, height, time }: TxPlace, { i, ...transfer }: Transfer): void {
  rows.add(sqlTables.cross_chain_transfers, { tx_id: texts.id(tx.id), transfer_index: i, height, time, ...transfer })
}
