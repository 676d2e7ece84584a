import { type OuterBlock, readOuterBlock } from "../core/consensus/proposer/outerBlock.js"
import type { ParseCertificate } from "../core/crypto/certificate.js"
import { toHex } from "../core/lib/bytes.js"
import { Invalid, valueOrInvalid } from "../core/lib/invalid.js"
import { hexDigits } from "../core/types/hexText.js"
import { crypto } from "../platform/backends.js"
import { syncError } from "./errors.js"

/** An entry of a file: hex of a block, and optionally a height. */
export interface RawEntry {
  readonly text: string
  /** The position in the file: the line, or the position in a list. */
  readonly place: number
}

/** A block from a file, and the Warp height beside it. */
export interface BlockEntry {
  readonly block: OuterBlock
  readonly pChainHeight: bigint | undefined
  readonly place: number
}

/** Reads `HEX [HEIGHT]`, with or without `0x` and checksum. Throws `sync.bad_line`. */
function entryBytes({ text, place }: RawEntry): { readonly bytes: Uint8Array; readonly pChainHeight: bigint | undefined } {
  // Most entries are hex alone. A search for other characters takes as long as reading them.
  const bytes = text.includes(" ") ? undefined : valueOrInvalid(() => bytesOf(text, place))
  if (bytes && !(bytes instanceof Invalid)) return { bytes, pChainHeight: undefined }
  const [hex = "", height, ...rest] = text.trim().split(/\s+/)
  if (rest.length > 0 || (height !== undefined && !/^\d{1,20}$/.test(height))) throw syncError("sync.bad_line", { line: place })
  return { bytes: bytesOf(hex, place), pChainHeight: height === undefined ? undefined : BigInt(height) }
}

/**
 * Decodes the block of an entry, as one from a peer: with or without wrapper, whose signature is verified. Throws `sync.bad_line` and
 * `sync.bad_block`.
 */
export function readEntry(raw: RawEntry, parseCertificate: ParseCertificate): BlockEntry {
  const { place } = raw
  const { bytes, pChainHeight } = entryBytes(raw)
  try {
    return { block: readOuterBlock(bytes, { parseCertificate }), pChainHeight, place }
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw syncError("sync.bad_block", { line: place, reason: error.avalanchegoMessage, ...error.data, rule: error.code })
  }
}

function bytesOf(hex: string, place: number): Uint8Array {
  try {
    const bytes = hexDigits(hex.startsWith("0x") ? hex.slice(2) : hex)
    const body = bytes.subarray(0, -4)
    return bytes.length > 4 && crypto.sha256Hex(body).endsWith(toHex(bytes.subarray(-4))) ? body : bytes
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw syncError("sync.bad_line", { line: place, reason: error.sentence })
  }
}
