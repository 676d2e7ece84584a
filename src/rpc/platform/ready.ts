import { type Json, printJson } from "../../lib/json.js"
import type { Context } from "../context.js"
import { Raw } from "../method.js"

/** How many bytes of ready answers are kept for one state. */
const MAX_BYTES = 64 * 1024 * 1024

/** What an entry takes besides its bytes, about: many small answers are to stay within the bound too. */
const ENTRY_BYTES = 400

interface Entry {
  readonly raw: Raw
  /** The clock, in Unix seconds, from and until which the answer is true. */
  readonly from: bigint
  readonly until: bigint | undefined
}

/** Answers as bytes, the last used ones, within a bound. */
export class ReadyAnswers {
  readonly #entries = new Map<string, Entry>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(key: string, now: bigint): Raw | undefined {
    return this.#find(key, now)?.raw
  }

  /** What is kept under a key and still true, or what is made now. */
  getOrMake(key: string, now: bigint, make: () => Made): Made {
    const entry = this.#find(key, now)
    if (entry) return entry
    const { raw, until } = make()
    const made = { raw, from: now, until }
    this.set(key, made)
    return made
  }

  clear(): void {
    this.#entries.clear()
    this.#bytes = 0
  }

  set(key: string, entry: Entry): void {
    this.#drop(key)
    const size = sizeOf(key, entry)
    // One that would push out most of the others is not worth it.
    if (size > this.#maxBytes / 4) return
    this.#entries.set(key, entry)
    this.#bytes += size
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.#drop(oldest)
    }
  }

  /** An answer that is true by this clock; it counts as used. */
  #find(key: string, now: bigint): Entry | undefined {
    const entry = this.#entries.get(key)
    if (!entry || now < entry.from || (entry.until !== undefined && now >= entry.until)) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#bytes -= sizeOf(key, entry)
    this.#entries.delete(key)
  }
}

/** A question may be as long as its answer. */
const sizeOf = (key: string, { raw }: Entry): number => ENTRY_BYTES + key.length + raw.size

/** JSON as the bytes of an answer. */
export const rawOf = (json: Json): Raw => new Raw(Buffer.from(printJson(json)))

/** An answer, and what it depends on besides the state. */
export interface Made {
  readonly raw: Raw
  /** The clock at which it stops being true, Unix seconds; `undefined`: not by time. */
  readonly until?: bigint | undefined
}

/** An answer that is true of one state: made once for each key, and again after the next block. */
export function readyAnswer(context: Context, key: string, make: () => Made): Raw {
  const answers = context.cached("platform.ready", () => new ReadyAnswers(MAX_BYTES))
  return answers.getOrMake(key, context.node.now(), make).raw
}
