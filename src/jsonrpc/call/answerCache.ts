import { LruCache } from "../../core/lib/lruCache.js"
import type { AnyMethod, Lifetime } from "../method.js"
import type { PrintedJson } from "../printedJson.js"
import { SharedWork } from "./sharedWork.js"

// biome-ignore lint/suspicious/noExplicitAny: the lifetime of any method
type AnyLifetime = Lifetime<any, any, any>

/** An answer that was sent, with all that decides whether it still holds. */
interface StoredAnswer {
  readonly json: PrintedJson
  readonly params: unknown
  readonly stamp: string | undefined
  /** The clock when the answer was made, and the time at which it changes, Unix seconds. */
  readonly from: bigint | undefined
  readonly until: bigint | undefined
  /** The last moment at which the answer held. */
  moment: string
}

/** Numbers of cache hits and misses. */
export interface CacheCounts {
  hits: number
  misses: number
}

/** Approximate size of an entry besides its answer, bytes. It counts, so that many small answers also stay within the limit. */
const ENTRY_BYTES = 400

/** The memory of a key and of the parameters that were read from it, as a multiple of the key's length. */
const KEY_FACTOR = 4

/** The length of parameters above which nothing is stored. */
const MAX_PARAMS_LENGTH = 1 << 14

/**
 * The answers of one API that may be requested again, within a limit of bytes. An answer is stored on its second request, so that a single
 * scan cannot evict frequent answers; one that holds at one moment only, on its second request at this moment.
 */
export class AnswerCache {
  /** Hits and misses by the kind of lifetime. */
  readonly counts = new Map<string, CacheCounts>()
  readonly #answers: LruCache<StoredAnswer>
  /** Answers that are being made. */
  readonly shared = new SharedWork<PrintedJson>()
  /** The moments at which keys were requested whose answer is not stored, with the size of the answer. */
  readonly #requested: LruCache<string>

  /** `maxBytes` is for answers and for the keys of those that are not stored, half each. */
  constructor(maxBytes: number) {
    this.#answers = new LruCache(maxBytes / 2)
    this.#requested = new LruCache(maxBytes / 2)
  }

  /** The size of the stored answers, bytes. */
  get size(): number {
    return this.#answers.size
  }

  /** Returns the key of a call; `undefined` if its parameters (JSON text) are too long for the cache. */
  keyOf({ name }: AnyMethod, params = ""): string | undefined {
    return params.length > MAX_PARAMS_LENGTH ? undefined : `${name} ${params}`
  }

  /** Returns the answer of a call if it still holds. */
  find(key: string, lifetime: AnyLifetime, context: unknown): PrintedJson | undefined {
    const answer = this.#answers.get(key)
    const isHit = answer !== undefined && holds(answer, lifetime, context)
    this.#countsOf(lifetime)[isHit ? "hits" : "misses"]++
    return isHit ? answer.json : undefined
  }

  /** Stores the answer of a call that may be requested again. `isShared` is true if other calls waited for it. */
  store(key: string, answer: StoredAnswer, isShared: boolean): void {
    const size = ENTRY_BYTES + KEY_FACTOR * key.length + answer.json.size
    const wasStored = this.#answers.delete(key)
    // An answer that would evict most of the others is not stored.
    if (size > this.#answers.maxSize / 4) return
    const requested = this.#requested.get(key)
    const isAgain = requested !== undefined && (answer.stamp !== undefined || requested === answer.moment)
    if (wasStored || isShared || isAgain) {
      this.#requested.delete(key)
      this.#answers.set(key, answer, size)
    } else this.#requested.set(key, answer.moment, size)
  }

  #countsOf({ kind }: AnyLifetime): CacheCounts {
    let counts = this.counts.get(kind)
    if (!counts) {
      counts = { hits: 0, misses: 0 }
      this.counts.set(kind, counts)
    }
    return counts
  }
}

function holds(answer: StoredAnswer, lifetime: AnyLifetime, context: unknown): boolean {
  const { params, from, until } = answer
  const now = lifetime.clock?.now(context)
  if (now !== undefined && ((from !== undefined && now < from) || (until !== undefined && now >= until))) return false
  const moment = lifetime.moment(params, context)
  if (moment === answer.moment) return true
  if (answer.stamp === undefined || answer.stamp !== lifetime.stamp?.(params, context)) return false
  answer.moment = moment
  return true
}
