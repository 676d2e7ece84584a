import { decodeBlock, printBlock, txsOf } from "../../../core/blocks/block.js"
import { list } from "../../../core/codec/list.js"
import { printerOf } from "../../../core/codec/print.js"
import { tx } from "../../../core/txs/tx.js"
import { type Encoding, toHexText } from "../../../core/types/hexText.js"
import type { ID } from "../../../core/types/id.js"
import type { Raw } from "../../../jsonrpc/method.js"
import { answer } from "../../../jsonrpc/result.js"
import type { Context } from "../../context.js"
import { encoded } from "../params/encodings.js"
import { spellingOf } from "../spelling.js"

/** A block, as text or as JSON. */
export const blockAnswer = answer.object({
  block: answer.described(answer.json, "a text in the encoding, or an object"),
  encoding: answer.encoding,
})

/** A block's bytes in the encoding that was asked for. */
export function encodedBlock(blockID: ID, bytes: Uint8Array, encoding: Encoding, context: Context): Raw {
  if (encoding !== "json") return encoded("block", encoding, `"${toHexText(bytes, encoding)}"`)
  return context.cache.forBlock(blockID, "getBlock", () => encoded("block", encoding, printed(bytes, context)))
}

const printTxs = printerOf(list(tx))

/** The contract's blocks all have `txs`; the reference's have it where the bytes do. */
function printed(bytes: Uint8Array, context: Context): string {
  const block = decodeBlock(bytes, {})
  const as = spellingOf(context)
  const text = printBlock(block, as)
  if (context.dialect === "avalanchego" || "txs" in block) return text
  return `${text.slice(0, -1)},"txs":${printTxs(txsOf(block), as)}}`
}
