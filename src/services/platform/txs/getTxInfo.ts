import { printRfc3339 } from "../../../core/lib/rfc3339.js"
import { feePaid } from "../../../core/readmodel/fees.js"
import { blockTime } from "../../../core/readmodel/history.js"
import { TxStatus, tables } from "../../../core/state/tables.js"
import { decodeTx } from "../../../core/txs/tx.js"
import { type ID, idText } from "../../../core/types/id.js"
import { answer } from "../../../jsonrpc/result.js"
import { object } from "../../../jsonrpc/schema/kinds.js"
import { method } from "../../context.js"
import { id } from "../../params.js"
import { platformError } from "../errors.js"

export const getTxInfo = method({
  name: "platform.getTxInfo",
  summary: "Where and when a transaction was accepted, and what it paid. Ours: AvalancheGo has no such method.",
  params: object({ txID: id }),
  result: answer.object({
    txID: answer.id,
    kind: answer.string,
    status: answer.oneOf("Committed", "Aborted"),
    blockID: answer.id,
    height: answer.digits,
    timestamp: answer.described(answer.time, "the chain's time after the block"),
    fee: answer.described(answer.digits, "nAVAX burned"),
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
      txID: idText(txID),
      kind: unsignedTx.kind,
      status: row.status === TxStatus.aborted ? ("Aborted" as const) : ("Committed" as const),
      blockID: idText(view.get(tables.blockIDs, row.height) as ID),
      height: row.height.toString(),
      timestamp: printRfc3339(blockTime(view, row.height)),
      fee: feePaid(unsignedTx, rules.avaxAssetID).toString(),
    }
  },
})
