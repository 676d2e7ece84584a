import { type Block, decodeBlock } from "../core/blocks/block.js"
import type { ParseCertificate } from "../core/crypto/certificate.js"
import { equalBytes } from "../core/lib/bytes.js"
import { Invalid, valueOrInvalid } from "../core/lib/invalid.js"
import { checksumOf } from "../core/types/cb58.js"
import { hexDigits } from "../core/types/hexText.js"
import { P_CHAIN_ID } from "../core/types/id.js"
import { type Container, decodeContainer, isPerhapsContainer, verifyContainer } from "../core/types/proposervm.js"
import { syncError } from "./errors.js"

/** An entry of a file: hex of a block, and optionally a height. */
export interface RawEntry {
  readonly text: string
  readonly place: number
}

/** The same as bytes, which are not decoded yet. */
export interface EntryBytes {
  readonly bytes: Uint8Array
  readonly pChainHeight: bigint | undefined
  /** The position in the file: the line, or the position in a list. */
  readonly place: number
}

/** A block and the wrapper around it, if it has one. */
export interface BlockWithWrapper {
  readonly block: Block
  readonly wrapper: Container | undefined
}

/** A block from a file: the block, its wrapper, and the Warp height beside it. */
export interface BlockEntry extends BlockWithWrapper, Omit<EntryBytes, "bytes"> {}

/** Options of reading blocks. */
export interface ReadBlockOptions {
  /** Reads the keys of proposers. */
  readonly parse?: ParseCertificate | undefined
  /** Returns whether exactly these bytes are known to be a wrapper with a valid signature; by default none are known. */
  isVerified?(bytes: Uint8Array): boolean
}

/** Reads `HEX [HEIGHT]`, with or without `0x` and checksum. Throws `sync.bad_line`. */
export function entryBytes({ text, place }: RawEntry): EntryBytes {
  // Most entries are hex alone. A search for other characters takes as long as reading them.
  const bytes = text.includes(" ") ? undefined : valueOrInvalid(() => bytesOf(text, place))
  if (bytes && !(bytes instanceof Invalid)) return { bytes, pChainHeight: undefined, place }
  const [hex = "", height, ...rest] = text.trim().split(/\s+/)
  if (rest.length > 0 || (height !== undefined && !/^\d{1,20}$/.test(height))) throw syncError("sync.bad_line", { line: place })
  return { bytes: bytesOf(hex, place), pChainHeight: height === undefined ? undefined : BigInt(height), place }
}

/** Decodes the block of an entry, with or without wrapper. Throws `sync.bad_block`. */
export function readEntry({ bytes, pChainHeight, place }: EntryBytes, options: ReadBlockOptions = {}): BlockEntry {
  try {
    const { block, wrapper } = readBlock(bytes, options)
    return { block, wrapper, pChainHeight, place }
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw syncError("sync.bad_block", { line: place, reason: error.avalanchegoMessage, ...error.data, rule: error.code })
  }
}

/** Decodes the block of an entry without verifying the signature of its wrapper. Throws `sync.bad_block`. */
export function decodeEntry(entry: EntryBytes, parse: ParseCertificate): BlockEntry {
  return readEntry(entry, { parse, isVerified: () => true })
}

/** Verifies the signature of a decoded entry's wrapper, if it has one. Bytes with an invalid signature are no wrapper, and are read again. */
export function verifyEntry(entry: BlockEntry, { parse, isVerified }: ReadBlockOptions): BlockEntry {
  const { wrapper, pChainHeight, place } = entry
  if (!wrapper || !isSigned(wrapper) || isVerified?.(wrapper.bytes)) return entry
  const refusal = valueOrInvalid(() => verifyContainer(wrapper, P_CHAIN_ID, parse))
  return refusal instanceof Invalid ? readEntry({ bytes: wrapper.bytes, pChainHeight, place }, { parse }) : entry
}

/** Decodes a block that may have a wrapper. Throws `codec.*`. */
function readBlock(bytes: Uint8Array, options: ReadBlockOptions = {}): BlockWithWrapper {
  return wrappedIn(bytes, options) ?? { block: decodeBlock(bytes), wrapper: undefined }
}

function bytesOf(hex: string, place: number): Uint8Array {
  try {
    const bytes = hexDigits(hex.startsWith("0x") ? hex.slice(2) : hex)
    const body = bytes.subarray(0, -4)
    return bytes.length > 4 && equalBytes(checksumOf(body), bytes.subarray(-4)) ? body : bytes
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw syncError("sync.bad_line", { line: place, reason: error.sentence })
  }
}

/** Bytes are a wrapper where all of it holds, the signature and the block inside too; else they are a bare block. */
function wrappedIn(bytes: Uint8Array, { parse, isVerified }: ReadBlockOptions): BlockWithWrapper | undefined {
  if (!isPerhapsContainer(bytes)) return undefined
  try {
    const wrapper = decodeContainer(bytes, parse)
    if (!isSigned(wrapper) || !isVerified?.(bytes)) verifyContainer(wrapper, P_CHAIN_ID, parse)
    return { block: decodeBlock(wrapper.block), wrapper }
  } catch (error) {
    if (error instanceof Invalid) return undefined
    throw error
  }
}

/** Whether a wrapper carries the signature of its proposer. Others are verified in no time. */
export function isSigned(wrapper: Container): boolean {
  return wrapper.kind !== "ProposerVMOption" && wrapper.certificate.length > 0
}

/** Returns the time of a block: of its wrapper, its own, or the one it proposes. */
export function timeOf({ block, wrapper }: BlockEntry): bigint | undefined {
  if (wrapper && wrapper.kind !== "ProposerVMOption") return wrapper.timestamp
  if ("time" in block) return block.time
  if ("tx" in block && block.tx.unsignedTx.kind === "AdvanceTimeTx") return block.tx.unsignedTx.time
  return undefined
}
