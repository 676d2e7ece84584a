import { variant } from "../codec/oneOf.js"
import { u64 } from "../codec/primitives.js"
import type { Fields } from "../codec/struct.js"
import { type ID, id, idText } from "../types/id.js"

/** The fields that all blocks have. */
export const commonFields = { parentID: id, height: u64 }

/** The block's own ID, which JSON shows behind the height and bytes do not hold. */
const idMember = { id: { jsonSchema: { ...id.jsonSchema, readOnly: true }, toJson: (block: { id: ID }) => idText(block.id) } }

/** Declares one kind of block: its fields in the order of the bytes. */
export function defineBlock<const K extends string, F extends Fields>(kind: K, typeID: number, fields: F) {
  const names = Object.keys(fields)
  const order = names.flatMap((name) => (name === "height" ? [name, "id"] : [name]))
  return { kind, typeID, codec: variant(kind, typeID, fields, { order, also: idMember }) }
}
