import { recoverSignersAhead, type SignerCache, type SignerThreads } from "../core/chain/signersAhead.js"
import type { ParseCertificate } from "../core/crypto/certificate.js"
import { Invalid, valueOrInvalid } from "../core/lib/invalid.js"
import { type BlockEntry, type RawEntry, readEntry } from "./blockEntry.js"
import { type OverrideEntry, readChainLine } from "./chainLines.js"

/** The maximum number of blocks in a part. A thread recovers their signers in some milliseconds. */
export const PART_BLOCKS = 64
/** The number of bytes after which a part ends, and after which no further part is read ahead: memory must not depend on the size of blocks. */
const PART_BYTES = 1 << 18
const AHEAD_BYTES = 1 << 22

/** Blocks that are executed one after the other. An entry that cannot be read is a refusal; the blocks before it are executed first. */
export type BlockPart = readonly (BlockEntry | OverrideEntry | Invalid)[]

/** A part whose signers are being recovered. */
interface WaitingPart {
  readonly entries: BlockPart
  readonly bytes: number
  readonly recovered: Promise<void>
}

export interface ReadAheadOptions {
  readonly chain: SignerCache
  /** The threads that recover signers. Without them nothing is read ahead, and the execution recovers all of them. */
  readonly threads?: SignerThreads | undefined
  readonly parseCertificate: ParseCertificate
}

/** Reads entries in parts, as many ahead as keep the threads busy, and returns each part when the signers of its blocks are in the cache. */
export async function* readAhead(entries: AsyncIterable<RawEntry>, options: ReadAheadOptions): AsyncGenerator<BlockPart> {
  const { threads, chain } = options
  const waiting: WaitingPart[] = []
  let ahead = 0
  for await (const { entries: part, bytes } of partsOf(entries, options.parseCertificate)) {
    const blocks = part.flatMap((entry) => ("block" in entry ? [entry.block.inner] : []))
    const recovered = threads ? recoverSignersAhead(threads, chain, blocks) : Promise.resolve()
    waiting.push({ entries: part, bytes, recovered })
    ahead += bytes
    while (waiting.length > (threads?.depth ?? 0) || ahead > AHEAD_BYTES) yield await next()
  }
  while (waiting.length > 0) yield await next()

  async function next(): Promise<BlockPart> {
    const first = waiting.shift() as WaitingPart
    ahead -= first.bytes
    await first.recovered
    return first.entries
  }
}

async function* partsOf(
  entries: AsyncIterable<RawEntry>,
  parse: ParseCertificate,
): AsyncGenerator<{ readonly entries: BlockPart; readonly bytes: number }> {
  let part: (BlockEntry | OverrideEntry | Invalid)[] = []
  let bytes = 0
  try {
    for await (const raw of entries) {
      const entry = valueOrInvalid(() => entryOf(raw, parse))
      if (entry !== "head") part.push(entry)
      bytes += raw.text.length >> 1
      if (part.length < PART_BLOCKS && bytes < PART_BYTES) continue
      yield { entries: part, bytes }
      part = []
      bytes = 0
    }
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    // The rest of the file cannot be read. The entries before the error are executed first.
    part.push(error)
  }
  if (part.length > 0) yield { entries: part, bytes }
}

function entryOf(raw: RawEntry, parse: ParseCertificate): BlockEntry | OverrideEntry | "head" {
  return readChainLine(raw) ?? readEntry(raw, parse)
}
