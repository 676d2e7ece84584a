import { type Json, printJson } from "../../lib/json.js"
import type { Context, NodePort } from "../context.js"
import { Raw } from "../method.js"

/** How many bytes of ready answers are kept for one state, and how many of the past. */
const MAX_BYTES = 64 * 1024 * 1024

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
    const entry = this.#entries.get(key)
    if (!entry || now < entry.from || (entry.until !== undefined && now >= entry.until)) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.raw
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

  #drop(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#bytes -= sizeOf(key, entry)
    this.#entries.delete(key)
  }
}

/** A question may be as long as its answer. */
const sizeOf = (key: string, { raw }: Entry): number => key.length + raw.bytes.length

/** JSON as the bytes of an answer. */
export const rawOf = (json: Json): Raw => new Raw(Buffer.from(printJson(json)))

/** What an answer depends on besides the state. */
export interface Made {
  readonly json: Json
  /** The clock at which it stops being true, Unix seconds; `undefined`: not by time. */
  readonly until?: bigint | undefined
}

/** An answer that is true of one state: made once for each key, and again after the next block. */
export function readyAnswer(context: Context, key: string, make: () => Made): Raw {
  const answers = context.cached("platform.ready", () => new ReadyAnswers(MAX_BYTES))
  const now = context.node.now()
  const ready = answers.get(key, now)
  if (ready) return ready
  const { json, until } = make()
  const raw = rawOf(json)
  answers.set(key, { raw, from: now, until })
  return raw
}

const ofThePast = new WeakMap<NodePort, ReadyAnswers>()

/** An answer about the past, which stays true whatever comes: the key must name the block it is of, since a height may be reverted. */
export function lastingAnswer({ node, dialect }: Context, key: string, make: () => Raw): Raw {
  let answers = ofThePast.get(node)
  if (!answers) {
    answers = new ReadyAnswers(MAX_BYTES)
    ofThePast.set(node, answers)
  }
  const full = `${dialect} ${key}`
  const ready = answers.get(full, 0n)
  if (ready) return ready
  const raw = make()
  answers.set(full, { raw, from: 0n, until: undefined })
  return raw
}
