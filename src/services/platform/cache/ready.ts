import { type Json, printJson } from "../../../core/lib/json.js"
import { Raw } from "../../../jsonrpc/method.js"
import type { Context } from "../../context.js"
import { BoundedMap } from "./boundedMap.js"

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

/**
 * Answers as bytes, the last used ones, within a bound. One is kept when it is asked for again before as many bytes as the bound
 * went by: a walk through the past leaves what many ask for in its place, and no garbage that has grown old.
 */
export class ReadyAnswers {
  readonly #kept: BoundedMap<Entry>
  /** What answers took that were given away. */
  readonly #gone: BoundedMap<null>

  constructor(maxBytes: number) {
    this.#kept = new BoundedMap(maxBytes)
    this.#gone = new BoundedMap(maxBytes)
  }

  /** What is kept under a key and still true, or what is made now. */
  getOrMake(key: string, now: bigint, make: () => Made): Made {
    const entry = this.#kept.get(key)
    if (entry && now >= entry.from && (entry.until === undefined || now < entry.until)) return entry
    const { raw, until } = make()
    const made = { raw, from: now, until }
    const size = sizeOf(key, made)
    if (entry || this.#gone.delete(key)) this.#kept.set(key, made, size)
    else this.#gone.set(key, null, size)
    return made
  }

  clear(): void {
    this.#kept.clear()
    this.#gone.clear()
  }
}

/** Bytes. A question may be as long as its answer. */
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
