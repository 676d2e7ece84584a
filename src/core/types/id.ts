import { codecError } from "../codec/errors.js"
import type { Codec } from "../codec/schema.js"
import { sha256Hex } from "../crypto/hash.js"
import { hexToBytes, latin1Bytes, toHex } from "../lib/bytes.js"
import { valueOrThrow } from "../lib/invalid.js"
import { fromCb58, toCb58 } from "./cb58.js"
import { typeError } from "./errors.js"

declare const brand: unique symbol

/**
 * A string that was checked to be of this type: `ID`, `NodeID`, `Address`. It is lowercase hex, so that `===`, map keys and sorting work.
 */
export type Branded<Name extends string> = string & { readonly [brand]: Name }

/** The ID of a transaction, block, subnet, chain, asset, VM or validation: 32 bytes as lowercase hex. */
export type ID = Branded<"ID">

/** The ID of a node: the 20-byte hash of its certificate as lowercase hex. */
export type NodeID = Branded<"NodeID">

export const ID_SIZE = 32
export const NODE_ID_SIZE = 20
const NODE_ID_PREFIX = "NodeID-"

/** The empty ID: the primary network as a subnet, the P-Chain as a chain. */
export const EMPTY_ID = "00".repeat(ID_SIZE) as ID
/** The empty node ID, which means no node. */
export const EMPTY_NODE_ID = "00".repeat(NODE_ID_SIZE) as NodeID
/** The subnet ID of the primary network. */
export const PRIMARY_NETWORK_ID = EMPTY_ID
/** The blockchain ID of the P-Chain. */
export const P_CHAIN_ID = EMPTY_ID

/** Returns the ID of bytes: their SHA-256. */
export function idOf(bytes: Uint8Array): ID {
  return sha256Hex(bytes) as ID
}

/** Returns the ID of a VM or feature extension: its ASCII name, padded with zeroes. */
export function idOfName(name: string): ID {
  return toHex(latin1Bytes(name)).padEnd(ID_SIZE * 2, "0") as ID
}

/** The ID of Subnet-EVM, the VM of most L1s. */
export const SUBNET_EVM = idOfName("subnetevm")

/** Writes an ID as cb58 text. */
export function idText(value: ID): string {
  return toCb58(hexToBytes(value))
}

/** Reads an ID from cb58 text. Throws `types.*`. */
export function parseID(text: string): ID {
  return toHex(fromCb58(text, ID_SIZE)) as ID
}

/** Writes a node ID as `NodeID-` and cb58 text. */
export function nodeIDText(value: NodeID): string {
  return NODE_ID_PREFIX + toCb58(hexToBytes(value))
}

/** Reads a node ID from `NodeID-` and cb58 text. Throws `types.*`. */
export function parseNodeID(text: string): NodeID {
  if (!text.startsWith(NODE_ID_PREFIX)) throw typeError("types.no_node_id_prefix", { text })
  return toHex(fromCb58(text.slice(NODE_ID_PREFIX.length), NODE_ID_SIZE)) as NodeID
}

/** Makes the codec of a hex string of fixed size, which has another form in JSON. */
export function fixedHex<T extends string>(
  size: number,
  spell: (value: T) => string,
  parse: (text: string) => T,
  description: string,
): Codec<T, string> {
  return {
    minSize: size,
    hexSize: size,
    jsonSchema: { type: "string", description },
    read: (r) => r.hex(size) as T,
    write: (w, value) => w.hex(value, size),
    writeJson: (sink, value, { cachedText }) =>
      sink.plain(cachedText ? cachedText(description, value, () => spell(value)) : spell(value)),
    fromJson: (json, _as, path) => parseText(json, parse, description, path),
  }
}

/** Reads a value from its text in JSON. Throws `codec.bad_json`. */
export function parseText<T>(json: unknown, parse: (text: string) => T, expected: string, path = ""): T {
  if (typeof json !== "string") throw codecError("codec.bad_json", { path, expected })
  return valueOrThrow(
    () => parse(json),
    ({ sentence: reason }) => codecError("codec.bad_json", { path, expected, reason }),
  )
}

export const id = fixedHex<ID>(ID_SIZE, idText, parseID, "an ID in cb58")
/** An ID that rarely occurs twice, such as that of a spent output's transaction, and whose text is not cached. */
export const uncachedID: Codec<ID, string> = { ...id, writeJson: (sink, value) => sink.plain(idText(value)) }
export const nodeID = fixedHex<NodeID>(NODE_ID_SIZE, nodeIDText, parseNodeID, "a node ID, NodeID- and cb58")
