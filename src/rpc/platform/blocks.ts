import { blockToJson, decodeBlock, txsOf } from "../../blocks/block.js"
import type { Json } from "../../lib/json.js"
import { tx } from "../../txs/tx.js"
import { type Encoding, toHexText } from "../../types/hexText.js"
import { answer } from "../answer.js"
import type { Context } from "../context.js"

/** A block, as text or as JSON. */
export const blockAnswer = answer.object({
  block: answer.described(answer.json, "a text in the encoding, or an object"),
  encoding: answer.encoding,
})

/** A block's bytes in the encoding that was asked for. */
export function encodedBlock(bytes: Uint8Array, encoding: Encoding, context: Context) {
  return { block: encoding === "json" ? jsonOf(bytes, context) : toHexText(bytes, encoding), encoding }
}

/** The contract's blocks all have `txs`; the reference's have it where the bytes do. */
function jsonOf(bytes: Uint8Array, { dialect, node }: Context): Json {
  const block = decodeBlock(bytes, {})
  const json = blockToJson(block, node) as { readonly [name: string]: Json }
  if (dialect === "avalanchego" || "txs" in json) return json
  return { ...json, txs: txsOf(block).map((each) => tx.toJson(each, node)) }
}
