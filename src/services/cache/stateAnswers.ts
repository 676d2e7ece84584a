import { flatText } from "../../core/lib/flatText.js"
import { lastBlockOf } from "../../core/readmodel/history.js"
import type { View } from "../../core/state/view.js"
import type { Address } from "../../core/types/address.js"
import type { ID } from "../../core/types/id.js"
import type { JsonPieces } from "../../jsonrpc/printedJson.js"
import type { Dialect } from "../../jsonrpc/schema/param.js"
import type { PrintedResults } from "../../jsonrpc/service.js"
import type { AnswerCache, CacheableValue, CacheSlot, Validity } from "./answerCache.js"

/** State that cached answers depend on. */
export interface AnswerSource {
  readonly dialect: Dialect
  readonly view: View
  readonly node: { now(): bigint }
  /** True if rows of the past are read from another machine, see `ContextsOptions`. */
  readonly isPastElsewhere?: boolean
}

/** The maximum size in bytes of a result that is sent as text, in one piece with its headers. */
const SHORT_RESULT = 1 << 12

/**
 * The JSON of a result. When it is sent again, a short result becomes one flat text and a long one becomes one piece of bytes, because most
 * results are requested once in a state.
 */
class PrintedResult {
  /** The size in bytes, at two bytes per character. */
  readonly size: number
  readonly #isShort: boolean
  #json: JsonPieces
  /** True once the JSON has the form in which it is sent again. */
  #isConverted = false

  constructor(json: JsonPieces, bytes: number) {
    this.#json = json
    this.#isShort = bytes <= SHORT_RESULT
    this.size = 2 * bytes
  }

  get json(): JsonPieces {
    if (!this.#isConverted) {
      this.#json = this.#isShort ? textOf(this.#json) : piecesOf(this.#json)
      this.#isConverted = true
    }
    return this.#json
  }
}

const textOf = (json: JsonPieces): string => (typeof json === "string" ? flatText(json) : Buffer.concat(json).toString())

const piecesOf = (json: JsonPieces): readonly Uint8Array[] => (typeof json === "string" ? [Buffer.from(json)] : json)

/** The maximum size of a result that is reused as a whole, bytes. Larger results consist of parts that are cached. */
const MAX_RESULT = 1 << 20

/** The same for a text, in characters. It becomes bytes, while the bytes of other results are shared and not copied. */
const MAX_TEXT_RESULT = 1 << 16

/**
 * The answer cache as the calls of one state use it. Each lifetime has a method for values and one for values that are made in steps. Keys
 * begin with the method's name.
 */
export class StateAnswers implements PrintedResults {
  readonly #cache: AnswerCache
  readonly #source: AnswerSource
  readonly #state: number
  readonly #reverts: number
  readonly #overrides: number

  constructor(cache: AnswerCache, source: AnswerSource) {
    this.#cache = cache
    this.#source = source
    this.#state = cache.state
    this.#reverts = cache.reverts
    this.#overrides = cache.overrides
  }

  /**
   * Returns a text that changes with the state after the block at a height of this chain, for the keys of values that a block alone does
   * not determine. After a revert the same blocks may have other overrides. An override changes only the state after the last block.
   */
  stateAfter(height: bigint, lastHeight: bigint): string {
    return height < lastHeight ? `${this.#reverts}` : `${this.#reverts} ${this.#overrides}`
  }

  /** Returns a value that is valid in this state. It is made again after the next block. */
  forState<T extends CacheableValue>(key: string, make: () => T): T {
    const { value, store } = this.stateSlot<T>(key)
    return value ?? store(make())
  }

  /** Returns a value that is valid in this state and in this second of the clock. */
  forSecond<T extends CacheableValue>(key: string, make: () => T): T {
    const { value, store } = this.secondSlot<T>(key)
    return value ?? store(make())
  }

  /** Returns the slot of a value that is valid in this state and in this second of the clock. */
  secondSlot<T extends CacheableValue>(key: string): CacheSlot<T> {
    const now = this.#source.node.now()
    const { value, store, share } = this.#cache.slot<T>("state", this.#keyOf(key), { state: this.#state, now })
    return { value, store: (made) => store(made, now + 1n), share }
  }

  /** Returns the slot of a value that is valid in this state. */
  stateSlot<T extends CacheableValue>(key: string): CacheSlot<T> {
    return this.#cache.slot("state", this.#keyOf(key), { state: this.#state, now: 0n })
  }

  printedResult(key: string): JsonPieces | undefined {
    return this.#cache.find<PrintedResult>("state", key, this.#state)?.json
  }

  keepResult(key: string, json: JsonPieces): void {
    const isText = typeof json === "string"
    const size = isText ? json.length : json.reduce((sum, { length }) => sum + length, 0)
    if (size > (isText ? MAX_TEXT_RESULT : MAX_RESULT)) return
    this.#cache.keep("state", key, new PrintedResult(json, size), this.#state)
  }

  /** Returns a value that depends only on a block (or transaction) and the blocks before it. */
  forBlock<T extends CacheableValue>(blockID: ID, key: string, make: () => T): T {
    const { value, store } = this.blockSlot<T>(blockID, key)
    return value ?? store(make())
  }

  /** Returns the slot of a value that depends only on a block. */
  blockSlot<T extends CacheableValue>(blockID: ID, key: string): CacheSlot<T> {
    return this.#cache.slot("block", this.#keyOf(`${key} ${blockID}`), this.#always())
  }

  /**
   * Returns the slot of a value about the UTXOs or stakes of these addresses. It is valid until a transaction touches one of them, or until
   * the state changes by a revert or an override. If `isOfState` returns true, the value is valid in this state only; the function is not
   * called again while the state is the same.
   */
  addressSlot<T extends CacheableValue>(addresses: readonly Address[], key: string, isOfState?: () => boolean): CacheSlot<T> {
    const { view, node, isPastElsewhere } = this.#source
    const stampOf = () =>
      isPastElsewhere || isOfState?.()
        ? `state ${this.#state}`
        : `${this.#reverts} ${this.#overrides} ${addresses.map((address) => lastBlockOf(view, address)).join()}`
    let known: string | undefined
    const stamp = () => {
      // It is asked twice where a stored value no longer holds.
      known ??= stampOf()
      return known
    }
    const validity = { state: this.#state, stamp, now: node.now() }
    return this.#cache.slot("address", this.#keyOf(`${key} ${addresses.join()}`), validity)
  }

  /** Returns a value that depends only on its key. It is stored at once, because many answers are made from it. */
  always<T extends CacheableValue>(key: string, make: () => T): T {
    const { value, store } = this.alwaysSlot<T>(key)
    return value ?? store(make())
  }

  /** Returns the slot of a value that depends only on its key. */
  alwaysSlot<T extends CacheableValue>(key: string): CacheSlot<T> {
    return this.#cache.slot("always", this.#keyOf(key), this.#always())
  }

  /** Returns the text of an ID or address, as the API writes it. */
  text(kind: string, value: string, make: () => string): string {
    return this.#cache.text(kind, value, make)
  }

  /** The validity of a value that its key determines. */
  #always(): Validity {
    return { state: this.#state, stamp: noStamp, now: 0n }
  }

  #keyOf(key: string): string {
    return `${this.#source.dialect} ${key}`
  }
}

const noStamp = (): string => ""
