import type { Json } from "../../lib/json.js"
import { tables } from "../../state/tables.js"
import { decodeTx, tx } from "../../txs/tx.js"
import { toHexText } from "../../types/hexText.js"
import { idText } from "../../types/id.js"
import { answer } from "../answer.js"
import { method } from "../method.js"
import { encoding, id, object, withDefault } from "../schema.js"
import { platformError } from "./errors.js"

export const getTx = method({
  name: "platform.getTx",
  summary: "An accepted transaction, those of genesis too.",
  params: object({ txID: id, encoding: withDefault(encoding, "hex") }),
  result: answer.object({
    tx: answer.described(answer.json, "a text in the encoding, or an object"),
    encoding: answer.encoding,
  }),
  examples: [],

  handler({ txID, encoding }, { view, node }) {
    const row = view.get(tables.txs, txID)
    if (!row) throw platformError("platform.unknown_tx", { txID: idText(txID) })
    const text: Json = encoding === "json" ? tx.toJson(decodeTx(row.bytes, {}), node) : toHexText(row.bytes, encoding)
    return { tx: text, encoding }
  },
})
