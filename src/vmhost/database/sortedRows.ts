import { latin1 } from "../../core/lib/bytes.js"
import type { Row } from "./pluginDatabase.js"

/** The maximum number of rows of a chunk. */
const CHUNK_ROWS = 512

/** Neighbouring rows. Each character of a key is one byte. */
interface Chunk {
  /** The number of the iteration before which it was made. An iteration that is older does not see it. */
  readonly age: number
  readonly keys: string[]
  readonly values: Uint8Array[]
}

/**
 * Rows in the order of the bytes of their keys. An iteration shows the rows of the moment at which it began: it shares the chunks of then, and a
 * change replaces a shared one by a copy.
 */
export class SortedRows {
  #chunks: Chunk[] = []
  #iterations = 0

  get(key: string): Uint8Array | undefined {
    const { keys, values } = this.#chunks[this.#indexOf(key)] ?? NO_CHUNK
    const place = placeIn(keys, key)
    return keys[place] === key ? values[place] : undefined
  }

  /** Replaces or adds a row. Returns its old value. */
  set(key: string, value: Uint8Array): Uint8Array | undefined {
    const index = this.#indexOf(key)
    const { keys, values } = this.#own(index)
    const place = placeIn(keys, key)
    const old = keys[place] === key ? values[place] : undefined
    keys.splice(place, old ? 1 : 0, key)
    values.splice(place, old ? 1 : 0, value)
    if (keys.length > CHUNK_ROWS) {
      const half = { age: this.#iterations, keys: keys.splice(CHUNK_ROWS / 2), values: values.splice(CHUNK_ROWS / 2) }
      this.#chunks.splice(index + 1, 0, half)
    }
    return old
  }

  /** Removes a row. Returns its value. */
  delete(key: string): Uint8Array | undefined {
    const old = this.get(key)
    if (!old) return undefined
    const index = this.#indexOf(key)
    const { keys, values } = this.#own(index)
    const place = placeIn(keys, key)
    keys.splice(place, 1)
    values.splice(place, 1)
    if (keys.length === 0) this.#chunks.splice(index, 1)
    return old
  }

  /** Returns the rows of this moment whose keys have the prefix, from `start` on. */
  rows(start: Uint8Array, prefix: Uint8Array): Iterator<Row, undefined> {
    const [from, common] = [latin1(start), latin1(prefix)]
    const first = from > common ? from : common
    const chunks = this.#chunks.slice(this.#indexOf(first))
    this.#iterations++
    return rowsIn(chunks, first, common)
  }

  /** Returns the place of the chunk that has a key, or to which it belongs. */
  #indexOf(key: string): number {
    return Math.max(0, firstWhere(this.#chunks.length, (i) => (this.#chunks[i]?.keys[0] as string) > key) - 1)
  }

  /** Returns a chunk that no iteration sees, to be changed. */
  #own(index: number): Chunk {
    const chunk = this.#chunks[index] ?? NO_CHUNK
    if (chunk.age === this.#iterations) return chunk
    const own = { age: this.#iterations, keys: [...chunk.keys], values: [...chunk.values] }
    this.#chunks[index] = own
    return own
  }
}

const NO_CHUNK: Chunk = { age: -1, keys: [], values: [] }

function* rowsIn(chunks: readonly Chunk[], first: string, prefix: string): Generator<Row, undefined> {
  let place = placeIn(chunks[0]?.keys ?? [], first)
  for (const { keys, values } of chunks) {
    for (; place < keys.length; place++) {
      const key = keys[place] as string
      if (!key.startsWith(prefix)) return undefined
      yield [Buffer.from(key, "latin1"), values[place] as Uint8Array]
    }
    place = 0
  }
  return undefined
}

/** Returns the place of a key, or where it belongs. */
const placeIn = (keys: readonly string[], key: string): number => firstWhere(keys.length, (i) => (keys[i] as string) >= key)

/** Returns the first of these numbers that meets a condition, which all later ones meet too; their count if none does. */
function firstWhere(count: number, meets: (index: number) => boolean): number {
  let [from, to] = [0, count]
  while (from < to) {
    const middle = (from + to) >> 1
    if (meets(middle)) to = middle
    else from = middle + 1
  }
  return from
}
