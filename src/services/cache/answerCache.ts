import { sha256Hex } from "../../core/crypto/hash.js"
import { utf8 } from "../../core/lib/bytes.js"
import { LruCache } from "../../core/lib/lruCache.js"
import type { MaybeWork, Work } from "../../core/lib/work.js"

/** Lifetime of a cached value: one state, one block, until an address is touched, or as long as there is room. */
export type Lifetime = "state" | "block" | "address" | "always"

/** A change of the state: an accepted block, a return to an earlier block, or an override of the state after the last block. */
export type StateChange = "block" | "revert" | "override"

/** A value that can be cached: it knows its size in bytes. */
export type Sized = { readonly size: number } | Uint8Array

/** A value, and the clock at which it stops being true (Unix seconds); `undefined`: not by time. */
export interface Timed<T extends Sized> {
  readonly value: T
  readonly until?: bigint | undefined
}

/** The place of a value in the cache: the value, or where to put it once it is made. */
export interface CacheSlot<T extends Sized> {
  /** `undefined` if it must be made. */
  readonly value: T | undefined
  /** Takes the value that was made, and the clock at which it stops being true (Unix seconds); returns the value. */
  store(made: T, until?: bigint): T
}

/** The value of a slot: at once where it is there, and else made in steps and stored. */
export function cachedOr<T extends Sized>(slot: CacheSlot<T>, make: () => Work<T>): MaybeWork<T> {
  return slot.value ?? storedLater(slot, make())
}

function* storedLater<T extends Sized>({ store }: CacheSlot<T>, work: Work<T>): Work<T> {
  return store(yield* work)
}

/** The condition under which a cached value is valid: in one state, or as long as `stamp` returns the same text. */
export interface Validity {
  /** The number of the state that asks. */
  readonly state: number
  /** Says what the value depends on besides its key; left out: on the state. */
  stamp?(): string
  /** The clock, Unix seconds. */
  readonly now: bigint
}

interface Entry {
  readonly value: Sized
  readonly stamp: string | undefined
  readonly from: bigint
  readonly until: bigint | undefined
  /** The last state in which it was found to hold. */
  state: number
}

/** Numbers of cache hits and misses. */
export interface CacheCounts {
  hits: number
  misses: number
}

/** The bound of the cache where none is given: 256 MiB. */
export const DEFAULT_CACHE_BYTES = 256 * 1024 * 1024

/** Approximate bytes of an entry besides its value, so that many small answers stay within the bound too. */
const ENTRY_BYTES = 400

/** Keys that are longer are hashed. */
const MAX_KEY_LENGTH = 200

/** Kinds of texts, each of which has an equal share of an eighth of the bound. */
const TEXT_KINDS = 8

/**
 * The answers of one node that may be asked for again, within one bound of bytes. Half of it is for answers, an eighth for texts of IDs, and
 * the rest is more than the questions that were asked once take. An answer is stored when it is asked for the second time, so that a
 * walk through the past does not push out what many ask for.
 */
export class AnswerCache {
  readonly counts: Readonly<Record<Lifetime, CacheCounts>> = {
    state: { hits: 0, misses: 0 },
    block: { hits: 0, misses: 0 },
    address: { hits: 0, misses: 0 },
    always: { hits: 0, misses: 0 },
  }
  readonly #entries: LruCache<Entry>
  /** Keys that were requested once, with the size of their answer. */
  readonly #asked: LruCache<true>
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

  /** Number of times that the chain went back to an earlier block. */
  get reverts(): number {
    return this.#reverts
  }

  /** Number of changes of the state after the last block that were not blocks. */
  get overrides(): number {
    return this.#overrides
  }

  /** Bytes that the answers take. */
  get size(): number {
    return this.#entries.size
  }

  /** Must be called at every change of the state. */
  stateChanged(kind: StateChange): void {
    this.#state++
    if (kind === "revert") this.#reverts++
    if (kind === "override") this.#overrides++
  }

  /** Returns the value that is stored under a key and was made in this very state. */
  find<T extends Sized>(lifetime: Lifetime, key: string, state: number): T | undefined {
    const entry = key.length > MAX_KEY_LENGTH ? this.#entries.get(sha256Hex(utf8(key))) : this.#entries.get(key)
    if (entry?.state !== state) return undefined
    this.counts[lifetime].hits++
    return entry.value as T
  }

  /** Finds what is stored under a key and still holds. */
  slot<T extends Sized>(lifetime: Lifetime, name: string, validity: Validity): CacheSlot<T> {
    const key = name.length > MAX_KEY_LENGTH ? sha256Hex(utf8(name)) : name
    const entry = this.#entries.get(key)
    const counts = this.counts[lifetime]
    if (entry && holds(entry, validity)) {
      counts.hits++
      return { value: entry.value as T, store: (made) => made }
    }
    counts.misses++
    const isWanted = lifetime === "always" || entry !== undefined
    return { value: undefined, store: (value, until) => this.#store(key, { value, until }, validity, isWanted) }
  }

  /** The text of a value of some kind: always the same, and of few values again and again. */
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

  #store<T extends Sized>(key: string, made: Timed<T>, validity: Validity, isWanted: boolean): T {
    const size = ENTRY_BYTES + key.length + bytesOf(made.value)
    // One that would push out most of the others is not stored.
    if (size > this.#entries.maxSize / 4) this.#entries.delete(key)
    else if (isWanted || this.#asked.delete(key)) this.#entries.set(key, entryOf(made, validity), size)
    else this.#asked.set(key, true, size)
    return made.value
  }
}

const bytesOf = (value: Sized): number => ("byteLength" in value ? value.byteLength : value.size)

function entryOf({ value, until }: Timed<Sized>, { state, stamp, now }: Validity): Entry {
  return { value, until, stamp: stamp?.(), from: now, state }
}

function holds(entry: Entry, { state, stamp, now }: Validity): boolean {
  if (now < entry.from || (entry.until !== undefined && now >= entry.until)) return false
  if (entry.state === state) return true
  if (stamp === undefined || stamp() !== entry.stamp) return false
  entry.state = state
  return true
}
