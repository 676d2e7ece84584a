import { sha256Hex } from "../../core/crypto/hash.js"
import { utf8 } from "../../core/lib/bytes.js"
import { LruCache } from "../../core/lib/lruCache.js"
import { isWork, type MaybeWork, type Work } from "../../core/lib/work.js"
import { ValuesInMaking } from "./valuesInMaking.js"

/** The lifetime of a cached value: one state, one block, until an address is touched, or until it is evicted. */
export type Lifetime = "state" | "block" | "address" | "always"

/** A change of the state: an accepted block, a revert to an earlier block, or an override of the state after the last block. */
export type StateChange = "block" | "revert" | "override"

/** A value that can be cached, with its size in bytes. */
export type CacheableValue = { readonly size: number } | Uint8Array

/** A value, and the time until which it is valid (Unix seconds); `undefined` if it does not depend on time. */
export interface TimedValue<T extends CacheableValue> {
  readonly value: T
  readonly until?: bigint | undefined
}

/** The place of a value in the cache: the value, or a function that stores it. */
export interface CacheSlot<T extends CacheableValue> {
  /** The cached value; `undefined` if it must be made. */
  readonly value: T | undefined
  /** Stores the value, which is valid until a time of the clock (Unix seconds) if one is given. Returns the value. */
  store(made: T, until?: bigint): T
  /**
   * Does work that makes and stores the value. Calls that need the same value in the same state meanwhile wait for it and do not make it
   * again, unless this call fails or is abandoned.
   */
  share(work: Work<T>): Work<T>
}

/** Returns the value of a slot. If it is not cached, it is made, at once or in steps, and stored. */
export function cachedOr<T extends CacheableValue>(slot: CacheSlot<T>, make: () => MaybeWork<T>): MaybeWork<T> {
  if (slot.value) return slot.value
  const made = make()
  return isWork(made) ? slot.share(storedLater(slot, made)) : slot.store(made)
}

function* storedLater<T extends CacheableValue>({ store }: CacheSlot<T>, work: Work<T>): Work<T> {
  return store(yield* work)
}

/** The condition under which a cached value is valid: in one state, or as long as `stamp` returns the same text. */
export interface Validity {
  /** The number of the state that reads the value. */
  readonly state: number
  /** Returns a text of everything the value depends on besides its key. By default it depends on the state. */
  stamp?(): string
  /** The clock, Unix seconds. */
  readonly now: bigint
}

interface Entry {
  readonly value: CacheableValue
  readonly stamp: string | undefined
  readonly from: bigint
  readonly until: bigint | undefined
  /** The last state in which it was valid. */
  state: number
}

/** Numbers of cache hits and misses. */
export interface CacheCounts {
  hits: number
  misses: number
}

/** The default size limit of the cache: 256 MiB. */
export const DEFAULT_CACHE_BYTES = 256 * 1024 * 1024

/** Approximate size of an entry besides its value, bytes. It counts, so that many small answers also stay within the limit. */
const ENTRY_BYTES = 400

/** The length above which keys are hashed. */
const MAX_KEY_LENGTH = 200

/** Number of kinds of texts. Each has an equal share of an eighth of the limit. */
const TEXT_KINDS = 8

/**
 * The answers of one node that may be requested again, within one limit of bytes. Half of it is for answers and an eighth for texts of IDs;
 * the keys of answers that were requested once need less than the rest. An answer is stored on its second request, so that a single scan
 * cannot evict frequent answers. An answer that is valid in one state only is stored on its second request in the same state.
 */
export class AnswerCache {
  readonly counts: Readonly<Record<Lifetime, CacheCounts>> = {
    state: { hits: 0, misses: 0 },
    block: { hits: 0, misses: 0 },
    address: { hits: 0, misses: 0 },
    always: { hits: 0, misses: 0 },
  }
  readonly #entries: LruCache<Entry>
  /** Keys that were requested once, with the state in which that was, and with the size of their answer. */
  readonly #asked: LruCache<number>
  readonly #inMaking = new ValuesInMaking<TimedValue<CacheableValue>>()
  readonly #texts = new Map<string, LruCache<string>>()
  readonly #maxTextBytes: number
  #state = 0
  #reverts = 0
  #overrides = 0

  constructor(maxBytes: number) {
    this.#entries = new LruCache(maxBytes / 2)
    this.#asked = new LruCache(maxBytes / 2)
    this.#maxTextBytes = maxBytes / 8 / TEXT_KINDS
  }

  /** The number of the present state. */
  get state(): number {
    return this.#state
  }

  /** Number of times that the chain was reverted to an earlier block. */
  get reverts(): number {
    return this.#reverts
  }

  /** Number of changes of the state after the last block that were not blocks. */
  get overrides(): number {
    return this.#overrides
  }

  /** The size of the cached answers, bytes. */
  get size(): number {
    return this.#entries.size
  }

  /** Must be called at every change of the state. */
  stateChanged(kind: StateChange): void {
    this.#state++
    if (kind === "revert") this.#reverts++
    if (kind === "override") this.#overrides++
  }

  /** Returns the value of a key if it was stored in this state. */
  find<T extends CacheableValue>(lifetime: Lifetime, key: string, state: number): T | undefined {
    const entry = this.#entries.get(shortKey(key))
    if (entry?.state !== state) return undefined
    this.counts[lifetime].hits++
    return entry.value as T
  }

  /** Stores a value that `find` did not find. */
  keep(lifetime: Lifetime, name: string, value: CacheableValue, state: number): void {
    const key = shortKey(name)
    this.counts[lifetime].misses++
    this.#store(key, { value }, { state, now: 0n }, this.#entries.get(key) !== undefined)
  }

  /** Returns the slot of a key, with its value if that is still valid. */
  slot<T extends CacheableValue>(lifetime: Lifetime, name: string, validity: Validity): CacheSlot<T> {
    const key = shortKey(name)
    const entry = this.#entries.get(key)
    const counts = this.counts[lifetime]
    if (entry && holds(entry, validity)) {
      counts.hits++
      return { value: entry.value as T, store: (made) => made, share: (work) => work }
    }
    counts.misses++
    return this.#emptySlot(key, validity, lifetime === "always" || entry !== undefined)
  }

  /** Returns the slot of a value that must be made. */
  #emptySlot<T extends CacheableValue>(key: string, validity: Validity, isWanted: boolean): CacheSlot<T> {
    const inMaking = this.#inMaking
    const name = () => `${validity.state} ${key}`
    const isUsable = ({ until }: TimedValue<CacheableValue>) => until === undefined || validity.now < until
    let made: TimedValue<T> | undefined
    return {
      value: undefined,
      store: (value, until) => {
        made = { value, until }
        return this.#store(key, made, validity, isWanted || inMaking.isAwaited(name))
      },
      *share(work) {
        function* timed(): Work<TimedValue<T>> {
          const value = yield* work
          return made ?? { value }
        }
        return (yield* inMaking.share(name(), timed, isUsable)).value as T
      },
    }
  }

  /** Returns the text of a value. The text of a value never changes, and few values recur often. */
  text(kind: string, value: string, make: () => string): string {
    let texts = this.#texts.get(kind)
    if (!texts) {
      texts = new LruCache(this.#maxTextBytes)
      this.#texts.set(kind, texts)
    }
    const known = texts.get(value)
    if (known !== undefined) return known
    const text = make()
    texts.set(value, text, value.length + text.length + ENTRY_BYTES / 2)
    return text
  }

  #store<T extends CacheableValue>(key: string, made: TimedValue<T>, validity: Validity, isWanted: boolean): T {
    const size = ENTRY_BYTES + key.length + bytesOf(made.value)
    // A value that would evict most of the others is not stored.
    if (size > this.#entries.maxSize / 4) this.#entries.delete(key)
    else if (isWanted || this.#wasRequested(key, validity)) {
      this.#asked.delete(key)
      this.#entries.set(key, entryOf(made, validity), size)
    } else this.#asked.set(key, validity.state, size)
    return made.value
  }

  /** Returns whether a key was requested before; if its value is valid in one state only, in this state. */
  #wasRequested(key: string, { state, stamp }: Validity): boolean {
    const requested = this.#asked.get(key)
    return requested !== undefined && (stamp !== undefined || requested === state)
  }
}

const shortKey = (key: string): string => (key.length > MAX_KEY_LENGTH ? sha256Hex(utf8(key)) : key)

const bytesOf = (value: CacheableValue): number => ("byteLength" in value ? value.byteLength : value.size)

function entryOf({ value, until }: TimedValue<CacheableValue>, { state, stamp, now }: Validity): Entry {
  return { value, until, stamp: stamp?.(), from: now, state }
}

function holds(entry: Entry, { state, stamp, now }: Validity): boolean {
  if (now < entry.from || (entry.until !== undefined && now >= entry.until)) return false
  if (entry.state === state) return true
  if (stamp === undefined || stamp() !== entry.stamp) return false
  entry.state = state
  return true
}
