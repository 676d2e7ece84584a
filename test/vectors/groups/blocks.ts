import { type Block, blockFromJson, blockToJson, decodeBlock, topLevelBlock, txsOf } from "../../../src/core/blocks/block.js"
import { blockTypes } from "../../../src/core/blocks/kinds.js"
import { encode } from "../../../src/core/codec/decode.js"
import { print } from "../../../src/core/codec/textSink.js"
import { type Json, printJson } from "../../../src/core/lib/json.js"
import { parseJson } from "../../../src/core/lib/parseJson.js"
import { hrpOf } from "../../../src/core/networks/names.js"
import { toHexText } from "../../../src/core/types/hexText.js"
import { idText } from "../../../src/core/types/id.js"
import type { Check, Group } from "../group.js"
import { bytesOf } from "../values.js"

const check: Check = (entry, verdict) => {
  const block = decodeBlock(bytesOf(entry.bytes))
  const as = { hrp: hrpOf(Number(entry.network_id)) }
  verdict.equal("kind", block.kind, entry.kind)
  verdict.equal("type", block.kind, entry.type)
  verdict.equal("type_id", typeIDOf(block), entry.type_id)
  verdict.equal("length", block.bytes.length, entry.length)
  verdict.equal("bytes", encode(topLevelBlock, block), entry.bytes)
  verdict.equal("id", idText(block.id), entry.id)
  verdict.equal("parent_id", idText(block.parentID), entry.parent_id)
  verdict.equal("height", block.height, entry.height)
  verdict.equal("time", "time" in block ? block.time : undefined, entry.time)
  verdict.equal(
    "tx_ids",
    txsOf(block).map((tx) => idText(tx.id)),
    entry.tx_ids,
  )
  verdict.equal("json_text", printJson(blockToJson(block, as)), entry.json_text)
  verdict.equal("printed", print(topLevelBlock, block, as), entry.json_text)
  verdict.equal("bytes of the JSON", blockFromJson(parseJson(entry.json_text), as, block.kind).bytes, entry.bytes)
  if (entry.hex_with_checksum !== undefined) verdict.equal("hex_with_checksum", toHexText(block.bytes), entry.hex_with_checksum)
}

/**
 * Checks JSON of a block that has no bytes. Its IDs are placeholders, and lists that were not set are `null`. All other members are the same after
 * reading and printing.
 */
const checkJsonOnly: Check = (entry, verdict) => {
  const json = withoutPlaceholders(parseJson(entry.json_text))
  const as = { hrp: /"P-([a-z]+)1/.exec(entry.json_text)?.[1] ?? "avax" }
  const block = blockFromJson(json, as, entry.type)
  verdict.equal("type", block.kind, entry.type)
  verdict.equal("json_text", printJson(withoutPlaceholders(blockToJson(block, as))), printJson(json))
}

function withoutPlaceholders(json: Json): Json {
  if (json === null) return []
  if (typeof json !== "object") return json
  if (Array.isArray(json)) return json.map(withoutPlaceholders)
  const members = Object.entries(json).filter(([name]) => name !== "id")
  return Object.fromEntries(members.map(([name, value]) => [name, withoutPlaceholders(value)]))
}

function typeIDOf(block: Block): number {
  return blockTypes.find((type) => type.kind === block.kind)!.typeID
}

/** blocks.json: every kind of block, and blocks that exist as JSON alone. */
export const blocks: Group = {
  ...Object.fromEntries(blockTypes.map((type) => [type.kind, check])),
  "json only": checkJsonOnly,
}
