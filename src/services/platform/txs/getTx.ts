import { tables } from "../../../core/state/tables.js"
import { decodeTx, tx } from "../../../core/txs/tx.js"
import { type ID, idText } from "../../../core/types/id.js"
import { described, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"
import { encoding, id } from "../../kinds.js"
import { ofBlock } from "../../lifetimes.js"
import { platformError } from "../errors.js"
import { encodedOr } from "../params/encodings.js"
import { exampleTxHex, exampleTxID, exampleTxJson } from "./exampleTx.js"

const result = object({
  tx: encodedOr(tx, "The JSON form of the transaction is described in docs/reference/transactions.md."),
  encoding,
})

export const getTx = method({
  name: "platform.getTx",
  summary: "Returns the accepted transaction with the given ID. Transactions of the genesis are included.",
  params: object({
    txID: described(id, "The ID of the transaction."),
    encoding: described(withDefault(encoding, "hex"), "The encoding of the result."),
  }),
  result,
  lifetime: ofBlock(({ txID }: { readonly txID: ID }, { view }) => view.get(tables.txs, txID) && { id: txID }),
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

  async handler({ txID, encoding }, context, { pace }) {
    const row = await context.past(pace).read((view) => view.get(tables.txs, txID))
    if (!row) throw platformError("platform.unknown_tx", { txID: idText(txID) })
    if (encoding !== "json") return { tx: { bytes: row.bytes, encoding }, encoding }
    return { tx: decodeTx(row.bytes, {}), encoding }
  },
})
