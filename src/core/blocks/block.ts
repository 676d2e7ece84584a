import { decode, encode, type Limits, versioned } from "../codec/decode.js"
import { codecError } from "../codec/errors.js"
import { type AnyVariant, type OneOf, oneOf } from "../codec/oneOf.js"
import { printerOf } from "../codec/print.js"
import { inside, type Spelling, type TypeOf } from "../codec/schema.js"
import { objectOf } from "../codec/struct.js"
import type { Json } from "../lib/json.js"
import { MAX_SIZE, type Tx } from "../txs/tx.js"
import { type ID, id, idOf } from "../types/id.js"
import { place } from "../types/registered.js"
import { blockTypes } from "./index.js"

type CodecsOf<T extends readonly { readonly codec: AnyVariant }[]> = { readonly [I in keyof T]: T[I]["codec"] }
type Codecs = CodecsOf<typeof blockTypes>

const anyBlock: OneOf<Codecs> = oneOf(place("block.Block"), ...(blockTypes.map((type) => type.codec) as unknown as Codecs))

/** A block's fields in the order of the bytes, codec version in front. */
export const topLevelBlock = versioned(anyBlock)

/** What a block says, without its ID. */
export type BlockBody = TypeOf<typeof anyBlock>
/** The name of a kind of block, such as `BanffStandardBlock`. */
export type BlockKind = BlockBody["kind"]

/** A block as read or made: with its ID and the bytes it was read from. */
export type Block = BlockBody & { readonly id: ID; readonly bytes: Uint8Array }

/** The block that these bytes are. Throws `codec.*`. */
export function decodeBlock(bytes: Uint8Array, limits: Limits = { maxSize: MAX_SIZE }): Block {
  return withID(decode(topLevelBlock, bytes, limits), bytes)
}

/** Makes a block of what it says. */
export function blockOf(body: BlockBody): Block {
  return withID(body, encode(topLevelBlock, body))
}

function withID(body: BlockBody, bytes: Uint8Array): Block {
  return Object.assign(body, { id: idOf(bytes), bytes }) as Block
}

/** A block as JSON: its members in the reference's order, its own ID among them. */
export function blockToJson(block: Block, as: Spelling): Json {
  return anyBlock.toJson(block, as)
}

/** The same as text. */
export const printBlock: (block: Block, as: Spelling) => string = printerOf(anyBlock)

/** The JSON of a block back into one. JSON does not name the kind: give it where the members do not tell. */
export function blockFromJson(json: unknown, as: Spelling, kind?: string): Block {
  const codec = kind === undefined ? anyBlock : anyBlock.ofKind(kind)
  if (!codec) throw codecError("codec.bad_json", { path: "", expected: `a block; there is no kind ${kind}` })
  const block = blockOf(codec.fromJson(json, as))
  const given = objectOf(json, "").id
  if (given !== undefined && id.fromJson(given, as, inside("", "id")) !== block.id) {
    throw codecError("codec.bad_json", { path: "id", expected: "the ID of this block", got: given })
  }
  return block
}

/** All transactions of a block in the order they run: decisions first, the proposal last. */
export function txsOf(block: BlockBody): readonly Tx[] {
  switch (block.kind) {
    case "ApricotProposalBlock":
    case "ApricotAtomicBlock":
      return [block.tx]
    case "BanffProposalBlock":
      return [...block.txs, block.tx]
    case "ApricotStandardBlock":
    case "BanffStandardBlock":
      return block.txs
    default:
      return []
  }
}
