import { setImmediate } from "node:timers/promises"
import type { ParseCertificate } from "../core/crypto/certificate.js"
import { Invalid, valueOrInvalid } from "../core/lib/invalid.js"
import { type EntryBytes, entryBytes, type RawEntry } from "./blockEntry.js"
import { type CheckedSignatures, checkSignatures } from "./checkedSignatures.js"
import type { SignatureJob, SignatureThreads } from "./signatureThreads.js"

/** The maximum number of blocks in a part. A thread checks them in some milliseconds. */
export const PART_BLOCKS = 64
/** The number of bytes after which a part ends, so that memory does not depend on the size of blocks, which is 2 MiB at most. */
const PART_BYTES = 1 << 18

/** Blocks that are executed one after the other. */
export interface BlockPart {
  /** The blocks. An entry that cannot be read is a refusal; the blocks before it are executed first. */
  readonly entries: readonly (EntryBytes | Invalid)[]
  /** The signatures that were checked in advance; `undefined` if none were. */
  readonly checked: CheckedSignatures | undefined
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

  constructor(entries: AsyncIterable<RawEntry>, options: ReadAheadOptions) {
    this.#entries = entries
    this.#options = options
  }

  /** Returns the parts in order. */
  async *parts(): AsyncGenerator<BlockPart> {
    const depth = this.#options.threads?.depth ?? 0
    let part = new WaitingPart()
    try {
      for await (const raw of this.#entries) {
        part.add(raw)
        if (!part.isFull) continue
        this.#waiting.push(part.begin(this.#options))
        part = new WaitingPart()
        if (this.#waiting.length > depth) yield await this.#next()
      }
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      // The rest of the file cannot be read. The entries before the error are executed first.
      part.entries.push(error)
    }
    this.#waiting.push(part.begin(this.#options))
    while (this.#waiting.length > 0) yield await this.#next()
  }

  /** Checks the signatures of the last part that no thread has begun, in this thread. Returns false if there is none. */
  help(): boolean {
    const last = this.#waiting.findLast((part) => part.job?.takeBack())
    last?.checkHere(this.#options)
    return last !== undefined
  }

  /**
   * Returns the first part when no thread works on it. If no thread has begun the part, it is returned at once, and the execution checks
   * its signatures. While a thread works on it, this thread checks the signatures of the last part.
   */
  async #next(): Promise<BlockPart> {
    const part = this.#waiting.shift() as WaitingPart
    const { job } = part
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
  readonly entries: (EntryBytes | Invalid)[] = []
  #bytes = 0
  #above = 0n
  #own: CheckedSignatures | undefined
  job: SignatureJob | undefined

  get checked(): CheckedSignatures | undefined {
    return this.#own ?? this.job?.checked
  }

  get isFull(): boolean {
    return this.entries.length >= PART_BLOCKS || this.#bytes > PART_BYTES
  }

  add(raw: RawEntry): void {
    const entry = valueOrInvalid(() => entryBytes(raw))
    if (!(entry instanceof Invalid)) this.#bytes += entry.bytes.length
    this.entries.push(entry)
  }

  begin({ threads, lastHeight }: ReadAheadOptions): this {
    this.#above = lastHeight()
    this.job = threads?.begin(this.#blocks(), this.#above)
    return this
  }

  /** Checks the signatures in this thread. */
  checkHere({ parseCertificate }: ReadAheadOptions): void {
    this.#own = checkSignatures(this.#blocks(), this.#above, parseCertificate)
  }

  #blocks(): Uint8Array[] {
    return this.entries.flatMap((entry) => (entry instanceof Invalid ? [] : [entry.bytes]))
  }
}
