import { blockTime } from "../../../core/readmodel/history.js"
import { TxStatus, tables } from "../../../core/state/tables.js"
import { feePaid } from "../../../core/txs/amounts.js"
import { decodeTx } from "../../../core/txs/tx.js"
import { type ID, idText } from "../../../core/types/id.js"
import { described, oneOf, string } from "../../../jsonrpc/schema/kinds.js"
import { u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { time } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { id } from "../../kinds.js"
import { platformError } from "../errors.js"

export const getTxInfo = method({
  name: "platform.getTxInfo",
  summary:
    "Returns the block and the time at which a transaction was accepted, and the fee that it paid. This is an extension: AvalancheGo has no such method.",
  params: object({ txID: id }),
  result: object({
    txID: id,
    kind: string,
    status: oneOf("Committed", "Aborted"),
    blockID: id,
    height: u64,
    timestamp: described(time, "The time of the chain after the block."),
    fee: described(u64, "The amount burned, in nAVAX."),
  }),
  examples: [
    {
      params: { txID: "2o3qFmUei4pxARsE8PiHDde4UHmtC8bidrhPDhLaZQAfYtQ1Wq" },
      result: {
        txID: "2o3qFmUei4pxARsE8PiHDde4UHmtC8bidrhPDhLaZQAfYtQ1Wq",
        kind: "BaseTx",
        status: "Committed",
        blockID: "RCW7r4XEJdMwv2KrEJmRQ47cqT321wZGz6r6FNs1MPd9Td6YJ",
        height: "1",
        timestamp: "2024-07-15T04:00:01Z",
        fee: "1000000",
      },
    },
  ],

  handler({ txID }, { view, rules }) {
    const row = view.get(tables.txs, txID)
    if (!row) throw platformError("platform.unknown_tx", { txID: idText(txID) })
    const { unsignedTx } = decodeTx(row.bytes, {})
    return {
      txID,
      kind: unsignedTx.kind,
      status: row.status === TxStatus.aborted ? ("Aborted" as const) : ("Committed" as const),
      blockID: view.get(tables.blockIDs, row.height) as ID,
      height: row.height,
      timestamp: blockTime(view, row.height),
      fee: feePaid(unsignedTx, rules.avaxAssetID),
    }
  },
})
