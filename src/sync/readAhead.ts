import { setImmediate } from "node:timers/promises"
import type { KnownSigners } from "../core/chain/chain.js"
import type { SignedBytes } from "../core/chain/signedBytes.js"
import type { ParseCertificate } from "../core/crypto/certificate.js"
import { Invalid, valueOrInvalid } from "../core/lib/invalid.js"
import { type BlockEntry, decodeEntry, entryBytes, type RawEntry } from "./blockEntry.js"
import { type OverrideEntry, readChainLine } from "./chainLines.js"
import {
  type CheckedSignatures,
  checkSignatures,
  knownSigners,
  signedIn,
  type UncheckedSignatures,
  uncheckedSignatures,
} from "./checkedSignatures.js"
import type { SignatureJob, SignatureThreads } from "./signatureThreads.js"

/** The maximum number of blocks in a part. A thread checks them in some milliseconds. */
export const PART_BLOCKS = 64
/** The number of bytes after which a part ends, and after which no further part is read ahead: memory must not depend on the size of blocks. */
const PART_BYTES = 1 << 18
const AHEAD_BYTES = 1 << 22

/** Blocks that are executed one after the other. */
export interface BlockPart {
  /**
   * The blocks; the signatures of their wrappers are not verified. An entry that cannot be read is a refusal; the blocks before it are executed
   * first.
   */
  readonly entries: readonly (BlockEntry | OverrideEntry | Invalid)[]
  /** The signatures that were checked in advance; `undefined` if none were. */
  readonly checked: CheckedSignatures | undefined
  /** The signers of transactions that were recovered in advance. */
  readonly signers: KnownSigners
}

/** Options of reading ahead. */
export interface ReadAheadOptions {
  /** The threads that check signatures. Without them nothing is read ahead, and the execution checks all signatures. */
  readonly threads?: SignatureThreads | undefined
  /** The height of the last executed block. */
  lastHeight(): bigint
  readonly parseCertificate: ParseCertificate
}

/** Reads entries in parts, and reads as many parts ahead of the execution as keep the threads busy. */
export class ReadAhead {
  readonly #entries: AsyncIterable<RawEntry>
  readonly #options: ReadAheadOptions
  readonly #waiting: WaitingPart[] = []
  /** The size of the blocks in the waiting parts. */
  #bytes = 0

  constructor(entries: AsyncIterable<RawEntry>, options: ReadAheadOptions) {
    this.#entries = entries
    this.#options = options
  }

  /** Returns the parts in order. */
  async *parts(): AsyncGenerator<BlockPart> {
    const { threads, parseCertificate } = this.#options
    const depth = threads?.depth ?? 0
    let part = new WaitingPart()
    try {
      for await (const raw of this.#entries) {
        part.add(raw, parseCertificate)
        if (!part.isFull) continue
        this.#begin(part)
        part = new WaitingPart()
        while (this.#waiting.length > depth || this.#bytes > AHEAD_BYTES) yield await this.#next()
      }
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      // The rest of the file cannot be read. The entries before the error are executed first.
      part.entries.push(error)
    }
    this.#begin(part)
    while (this.#waiting.length > 0) yield await this.#next()
  }

  /** Checks the signatures of the last part that no thread has begun, in this thread. Returns false if there is none. */
  help(): boolean {
    const last = this.#waiting.findLast((part) => part.job?.takeBack())
    last?.checkHere(this.#options)
    return last !== undefined
  }

  #begin(part: WaitingPart): void {
    part.begin(this.#options)
    this.#waiting.push(part)
    this.#bytes += part.bytes
  }

  /**
   * Returns the first part when no thread works on it. If no thread has begun the part, it is returned at once, and the execution checks
   * its signatures. While a thread works on it, this thread checks the signatures of the last part.
   */
  async #next(): Promise<BlockPart> {
    const part = this.#waiting.shift() as WaitingPart
    const { job } = part
    this.#bytes -= part.bytes
    // The results of other threads are received in another turn of the event loop.
    if (job) await setImmediate()
    while (job && !job.hasEnded && !job.takeBack()) {
      if (!this.help()) await job.ended
      await setImmediate()
    }
    return part
  }
}

class WaitingPart implements BlockPart {
  readonly entries: (BlockEntry | OverrideEntry | Invalid)[] = []
  bytes = 0
  job: SignatureJob | undefined
  #signed: readonly SignedBytes[] = []
  #unchecked: UncheckedSignatures | undefined
  #own: CheckedSignatures | undefined

  get checked(): CheckedSignatures | undefined {
    return this.#own ?? this.job?.checked
  }

  get signers(): KnownSigners {
    return this.checked ? knownSigners(this.#signed, this.checked) : new Map()
  }

  get isFull(): boolean {
    return this.entries.length >= PART_BLOCKS || this.bytes > PART_BYTES
  }

  add(raw: RawEntry, parse: ParseCertificate): void {
    const read = () => {
      const other = readChainLine(raw)
      if (other) return other
      const entry = entryBytes(raw)
      this.bytes += entry.bytes.length
      return decodeEntry(entry, parse)
    }
    const entry = valueOrInvalid(read)
    if (entry !== "head") this.entries.push(entry)
  }

  begin({ threads, lastHeight }: ReadAheadOptions): void {
    if (!threads) return
    const blocks = this.entries.flatMap((entry) => ("block" in entry ? [entry] : []))
    this.#signed = signedIn(blocks, lastHeight())
    this.#unchecked = uncheckedSignatures(this.#signed, blocks)
    this.job = threads.begin(this.#unchecked)
  }

  /** Checks the signatures in this thread. */
  checkHere({ parseCertificate }: ReadAheadOptions): void {
    if (this.#unchecked) this.#own = checkSignatures(this.#unchecked, parseCertificate)
  }
}
