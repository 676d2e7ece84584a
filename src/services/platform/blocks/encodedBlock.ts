import { type Block, decodeBlock, topLevelBlock, txsOf } from "../../../core/blocks/block.js"
import { list } from "../../../core/codec/list.js"
import { printerOf } from "../../../core/codec/print.js"
import type { JsonWriter, TypeOf } from "../../../core/codec/schema.js"
import type { Json } from "../../../core/lib/json.js"
import { tx } from "../../../core/txs/tx.js"
import type { Encoding } from "../../../core/types/hexText.js"
import type { ID } from "../../../core/types/id.js"
import { type PrintedJson, printedJson } from "../../../jsonrpc/printedJson.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { byDialect } from "../../../jsonrpc/schema/outputs.js"
import type { Context } from "../../context.js"
import { encoding } from "../../kinds.js"
import { encodedOr } from "../params/encodings.js"
import { spellingOf } from "../spelling.js"

const block: JsonWriter<Block> = topLevelBlock
const txs = list(tx)
const [printBlock, printTxs] = [printerOf(block), printerOf(txs)]

/** The contract's blocks all have `txs`; AvalancheGo's have it where the bytes do. */
const contractBlock: JsonWriter<Block> = {
  jsonSchema: block.jsonSchema,
  toJson(value, as) {
    const json = block.toJson(value, as) as { readonly [member: string]: Json }
    return "txs" in value ? json : { ...json, txs: txs.toJson(txsOf(value), as) }
  },
  print(value, as) {
    const text = printBlock(value, as)
    return "txs" in value ? text : `${text.slice(0, -1)},"txs":${printTxs(txsOf(value), as)}}`
  },
}

/** A block, as text or as JSON. */
export const blockOutput = object({
  block: encodedOr(byDialect(contractBlock, block), "a block: its members, and its transactions as in docs/transactions.md"),
  encoding,
})

/** A block's bytes in the encoding that was asked for. */
export function encodedBlock(
  blockID: ID,
  bytes: Uint8Array,
  encoding: Encoding,
  context: Context,
): TypeOf<typeof blockOutput> | PrintedJson {
  if (encoding !== "json") return { block: { bytes, encoding }, encoding }
  const print = () => printedJson(blockOutput, { block: decodeBlock(bytes, {}), encoding }, spellingOf(context))
  return context.cache.forBlock(blockID, "getBlock", print)
}
