import { type Block, decodeBlock } from "../core/blocks/block.js"
import type { ParseCertificate } from "../core/crypto/certificate.js"
import { equalBytes } from "../core/lib/bytes.js"
import { Invalid } from "../core/lib/invalid.js"
import { checksumOf } from "../core/types/cb58.js"
import { hexDigits } from "../core/types/hexText.js"
import { P_CHAIN_ID } from "../core/types/id.js"
import { type Container, decodeContainer, isPerhapsContainer, verifyContainer } from "../core/types/proposervm.js"
import { syncError } from "./errors.js"

/** A block from a file: the block, its wrapper, and the Warp height beside it. */
export interface BlockEntry {
  readonly block: Block
  readonly wrapper: Container | undefined
  readonly pChainHeight: bigint | undefined
  /** The position in the file: the line, or the position in a list. */
  readonly place: number
}

/** An entry of a file: hex of a block, and optionally a height. */
export interface RawEntry {
  readonly text: string
  readonly place: number
}

/**
 * Reads `HEX [HEIGHT]`, with or without `0x`, checksum and wrapper. `parse` reads the keys of proposers. Throws `sync.bad_line` and
 * `sync.bad_block`.
 */
export function parseEntry({ text, place }: RawEntry, parse?: ParseCertificate): BlockEntry {
  const [hex = "", height, ...rest] = text.trim().split(/\s+/)
  if (rest.length > 0 || (height !== undefined && !/^\d{1,20}$/.test(height))) throw syncError("sync.bad_line", { line: place })
  const bytes = bytesOf(hex, place)
  const pChainHeight = height === undefined ? undefined : BigInt(height)
  const wrapper = wrapperIn(bytes, parse)
  try {
    return { block: decodeBlock(wrapper?.block ?? bytes), wrapper, pChainHeight, place }
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw syncError("sync.bad_block", { line: place, reason: error.avalanchegoMessage, ...error.data, rule: error.code })
  }
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

/** Bytes are a wrapper if all of it is valid, including the signature and the block inside; otherwise they are a bare block. */
function wrapperIn(bytes: Uint8Array, parse: ParseCertificate | undefined): Container | undefined {
  if (!isPerhapsContainer(bytes)) return undefined
  try {
    const wrapper = decodeContainer(bytes, parse)
    verifyContainer(wrapper, P_CHAIN_ID, parse)
    decodeBlock(wrapper.block)
    return wrapper
  } catch (error) {
    if (error instanceof Invalid) return undefined
    throw error
  }
}

/** Returns the time of a block: of its wrapper, its own, or the one it proposes. */
export function timeOf({ block, wrapper }: BlockEntry): bigint | undefined {
  if (wrapper && wrapper.kind !== "ProposerVMOption") return wrapper.timestamp
  if ("time" in block) return block.time
  if ("tx" in block && block.tx.unsignedTx.kind === "AdvanceTimeTx") return block.tx.unsignedTx.time
  return undefined
}
