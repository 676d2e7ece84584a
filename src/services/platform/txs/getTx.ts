import { printerOf } from "../../../core/codec/print.js"
import { tables } from "../../../core/state/tables.js"
import { decodeTx, tx } from "../../../core/txs/tx.js"
import { toHexText } from "../../../core/types/hexText.js"
import { idText } from "../../../core/types/id.js"
import { answer } from "../../../jsonrpc/result.js"
import { withDefault } from "../../../jsonrpc/schema/kinds.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"
import { encoding, id } from "../../kinds.js"
import { platformError } from "../errors.js"
import { encoded } from "../params/encodings.js"
import { spellingOf } from "../spelling.js"
import { exampleTxHex, exampleTxID, exampleTxJson } from "./exampleTx.js"

export const getTx = method({
  name: "platform.getTx",
  summary: "An accepted transaction, those of genesis too.",
  params: object({ txID: id, encoding: withDefault(encoding, "hex") }),
  result: answer.object({
    tx: answer.described(answer.json, "a text in the encoding, or an object"),
    encoding: answer.encoding,
  }),
  examples: [
    {
      params: { txID: exampleTxID },
      result: {
        tx: exampleTxHex,
        encoding: "hex",
      },
    },
    {
      title: "as JSON",
      params: { txID: exampleTxID, encoding: "json" },
      result: {
        tx: exampleTxJson,
        encoding: "json",
      },
    },
  ],

  handler({ txID, encoding }, context) {
    const row = context.view.get(tables.txs, txID)
    if (!row) throw platformError("platform.unknown_tx", { txID: idText(txID) })
    if (encoding !== "json") return encoded("tx", encoding, `"${toHexText(row.bytes, encoding)}"`)
    return context.cache.forBlock(txID, "getTx", () =>
      encoded("tx", encoding, printTx(decodeTx(row.bytes, {}), spellingOf(context))),
    )
  },
})

const printTx = printerOf(tx)
