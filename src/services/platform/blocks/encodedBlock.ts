import { type Block, type BlockJson, decodeBlock, topLevelBlock, txsOf } from "../../../core/blocks/block.js"
import { list } from "../../../core/codec/list.js"
import {
  inlined,
  type JsonMember,
  type JsonSchema,
  type JsonWriter,
  jsonMember,
  type TypeOf,
} from "../../../core/codec/schema.js"
import { type TxJson, tx } from "../../../core/txs/tx.js"
import type { Encoding } from "../../../core/types/hexText.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { byDialect } from "../../../jsonrpc/schema/outputs.js"
import { encoding } from "../../kinds.js"
import { encodedOr } from "../params/encodings.js"

const block: JsonWriter<Block, BlockJson> = topLevelBlock
const txs = list(tx)
/** The members of a block without `txs`, and then this one. */
const members: readonly JsonMember<Block>[] = [inlined(block, (value) => value), jsonMember("txs", txs, txsOf)]

/** All blocks of the contract have `txs`; AvalancheGo's have it only if their bytes contain it. */
const contractBlock: JsonWriter<Block, BlockJson & { readonly txs: readonly TxJson[] }> = {
  jsonSchema: { oneOf: (block.jsonSchema.oneOf as readonly JsonSchema[]).map(withTxs) },
  writeJson: (sink, value, as) => ("txs" in value ? block.writeJson(sink, value, as) : sink.object(members, value, as)),
}

/** The schema of a kind of block, with `txs` among its members. */
function withTxs(kind: JsonSchema): JsonSchema {
  return { ...kind, properties: { txs: txs.jsonSchema, ...(kind.properties as { readonly [name: string]: JsonSchema }) } }
}

/** A block, as text or as JSON. */
export const blockOutput = object({
  block: encodedOr(
    byDialect(contractBlock, block),
    "The JSON form is the block with its transactions as described in docs/reference/transactions.md.",
  ),
  encoding,
})

/** Encodes a block in the requested encoding. */
export function encodedBlock(bytes: Uint8Array, encoding: Encoding): TypeOf<typeof blockOutput> {
  if (encoding !== "json") return { block: { bytes, encoding }, encoding }
  return { block: decodeBlock(bytes, {}), encoding }
}
