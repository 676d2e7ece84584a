import { valueOrThrow } from "../core/lib/invalid.js"
import { type CopyHeader, parseCopyHeader } from "../core/networks/chainIdentity.js"
import { fromHexText } from "../core/types/hexText.js"
import type { ID } from "../core/types/id.js"
import { parseCertificate } from "../platform/certificate.js"
import { type RawEntry, readEntry } from "./blockEntry.js"
import { syncError } from "./errors.js"

/** The first words of the lines that are not blocks. */
type Word = "chain" | "genesis" | "override"

export const lineOf = (word: Word, rest: string): string => `${word} ${rest}`

/** Returns the rest of a line that begins with a word; `undefined` for other lines. */
function restOf(word: Word, { text }: RawEntry): string | undefined {
  return text.startsWith(`${word} `) ? text.slice(word.length + 1) : undefined
}

/** The lines of a file before its first block. */
export interface FileHead {
  /** The header of the chain, if an export wrote the file. */
  readonly header: CopyHeader | undefined
  readonly genesis: Uint8Array | undefined
  /** The ID of the genesis block, if the file begins with it or with its child. */
  readonly genesisBlockID: ID | undefined
}

/** Reads the lines of a file up to its first block; `undefined` if it has no block. Throws `sync.*`. */
export async function readFileHead(entries: AsyncIterable<RawEntry>): Promise<FileHead | undefined> {
  let [header, genesis]: [CopyHeader | undefined, Uint8Array | undefined] = [undefined, undefined]
  for await (const raw of entries) {
    const [chain, hex] = [restOf("chain", raw), restOf("genesis", raw)]
    if (chain !== undefined) header = headerIn(chain, raw.place)
    else if (hex !== undefined) genesis = bytesIn(hex, raw.place)
    else if (restOf("override", raw) === undefined) return { header, genesis, genesisBlockID: genesisBlockIDOf(raw) }
  }
  return header && { header, genesis, genesisBlockID: undefined }
}

function genesisBlockIDOf(raw: RawEntry): ID | undefined {
  const block = readEntry(raw, parseCertificate).block.inner
  if (block.height === 0n) return block.id
  return block.height === 1n ? block.parentID : undefined
}

export interface OverrideEntry {
  readonly position: bigint
  readonly override: Uint8Array
  /** The line in the file. */
  readonly place: number
}

/**
 * Reads a line that is not a block: an override, or `head` for a line about the whole chain; `undefined` for a block. Throws
 * `sync.bad_line`.
 */
export function readChainLine(raw: RawEntry): OverrideEntry | "head" | undefined {
  if (restOf("chain", raw) !== undefined || restOf("genesis", raw) !== undefined) return "head"
  const rest = restOf("override", raw)
  if (rest === undefined) return undefined
  const [, position, hex] = /^(\d{1,19}) (\S+)$/.exec(rest) ?? []
  if (position === undefined || hex === undefined) throw syncError("sync.bad_line", { line: raw.place })
  return { position: BigInt(position), override: bytesIn(hex, raw.place), place: raw.place }
}

function headerIn(text: string, line: number): CopyHeader {
  const header = parseCopyHeader(text)
  if (!header) throw syncError("sync.bad_line", { line, reason: "it has no facts about a chain" })
  return header
}

function bytesIn(hex: string, line: number): Uint8Array {
  return valueOrThrow(
    () => fromHexText(hex),
    ({ sentence }) => syncError("sync.bad_line", { line, reason: sentence }),
  )
}
