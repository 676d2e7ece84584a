import { decode, encode, type Limits, versioned } from "../codec/decode.js"
import { codecError } from "../codec/errors.js"
import { type CodecsOf, codecsOf, type OneOf, oneOf } from "../codec/oneOf.js"
import { Reader } from "../codec/reader.js"
import { inside, type JsonOf, type TextFormat, type TypeOf } from "../codec/schema.js"
import { type Fields, objectOf } from "../codec/struct.js"
import { toJson } from "../codec/valueSink.js"
import { isActive } from "../networks/upgrades.js"
import type { BlockContext } from "../rules/context.js"
import { MAX_SIZE, type Tx } from "../txs/tx.js"
import { type ID, id, idOf } from "../types/id.js"
import { goInterface } from "../types/registered.js"
import type { BlockDefinition, BlockOutcome, Parent } from "./defineBlock.js"
import { blockError } from "./errors.js"
import { blockTypes } from "./kinds.js"

const anyBlock: OneOf<CodecsOf<typeof blockTypes>> = oneOf(goInterface("block.Block"), ...codecsOf(blockTypes))

/** Any kind of block. `blockTypeOf` returns the kind of a block. */
type AnyBlockType = BlockDefinition<string, Fields, BlockBody>

const typesByKind: ReadonlyMap<string, AnyBlockType> = new Map(blockTypes.map((type) => [type.kind, type as AnyBlockType]))

/** A block's fields in the order of the bytes, after the codec version. */
export const topLevelBlock = versioned(anyBlock)

/** The fields of a block, without its ID. */
export type BlockBody = TypeOf<typeof anyBlock>
/** The name of a kind of block, such as `BanffStandardBlock`. */
export type BlockKind = BlockBody["kind"]

/** A block with its ID and its bytes. */
export type Block = BlockBody & { readonly id: ID; readonly bytes: Uint8Array }

/** A block as JSON, including its own ID. */
export type BlockJson = JsonOf<typeof anyBlock>

/** Decodes a block. Throws `codec.*`. */
export function decodeBlock(bytes: Uint8Array, limits: Limits = { maxSize: MAX_SIZE }): Block {
  return withID(decode(topLevelBlock, bytes, limits), bytes)
}

/** Returns the height of a block without decoding its transactions; `undefined` if they come first. Throws `codec.*`. */
export function heightIn(bytes: Uint8Array): bigint | undefined {
  const reader = new Reader(bytes)
  reader.u16()
  const typeID = reader.u32()
  const fields: Fields = blockTypes.find((type) => type.typeID === typeID)?.fields ?? {}
  for (const [name, field] of Object.entries(fields)) {
    if (name === "height") return reader.u64()
    if (name !== "txs") field.read(reader)
    else if (reader.u32() > 0) return undefined
  }
  return undefined
}

/** Makes a block of its fields. */
export function blockOf(body: BlockBody): Block {
  return withID(body, encode(topLevelBlock, body))
}

function withID(body: BlockBody, bytes: Uint8Array): Block {
  return Object.assign(body, { id: idOf(bytes), bytes }) as Block
}

/** Prints a block as JSON: its members in AvalancheGo's order, including its own ID. */
export function blockToJson(block: Block, as: TextFormat): BlockJson {
  return toJson(anyBlock, block, as)
}

/** Reads a block from JSON. JSON does not contain the kind; pass it if the members do not determine it. */
export function blockFromJson(json: unknown, as: TextFormat, kind?: string): Block {
  const codec = kind === undefined ? anyBlock : anyBlock.ofKind(kind)
  if (!codec) throw codecError("codec.bad_json", { path: "", expected: `a block; there is no kind ${kind}` })
  const block = blockOf(codec.fromJson(json, as))
  const given = objectOf(json, "").id
  if (given !== undefined && id.fromJson(given, as, inside("", "id")) !== block.id) {
    throw codecError("codec.bad_json", { path: "id", expected: "the ID of this block", got: given })
  }
  return block
}

/** Returns the kind of a block, with its execution. */
export function blockTypeOf({ kind }: BlockBody): AnyBlockType {
  const type = typesByKind.get(kind)
  if (!type) throw new Error(`there is no kind of block ${kind}`)
  return type
}

/** Returns all transactions of a block in the order of their execution. The proposal comes last. */
export function txsOf(block: BlockBody): readonly Tx[] {
  return blockTypeOf(block).txs?.(block) ?? []
}

/** Executes a block on its parent, and returns its changes. Throws `Invalid` if it breaks a rule. */
export function executeBlock(block: Block, parent: Parent, blockContext: BlockContext): BlockOutcome {
  const type = blockTypeOf(block)
  const { timestamp } = parent
  if (type.until && isActive(blockContext.upgrades, type.until, timestamp))
    throw blockError("block.apricot_after_banff", { timestamp })
  const expected = parent.height + 1n
  if (block.height !== expected) throw blockError("block.wrong_height", { expected, got: block.height })
  return type.execute(block, parent, blockContext)
}
