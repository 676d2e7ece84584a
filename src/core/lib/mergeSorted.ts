/** Compares two entries: negative if the first comes before the second. */
export type Compare<T> = (a: T, b: T) => number

/** Compares two values by their order in memory. */
export const compare = <T extends bigint | number | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)

/** The next entry of a list, and the number of the list. */
interface Head<T> {
  readonly entry: T
  readonly list: number
}

/**
 * Merges lists that are each in order. Of equal entries, that of the first list comes first. All lists are closed when the reader stops.
 */
export function* mergeSorted<T>(lists: readonly Iterable<T>[], compare: Compare<T>): Iterable<T> {
  const iterators = lists.map((list) => list[Symbol.iterator]())
  const heads = new Heap<Head<T>>((a, b) => compare(a.entry, b.entry) || a.list - b.list)
  const read = (list: number): void => {
    const { done, value } = (iterators[list] as Iterator<T>).next()
    if (!done) heads.add({ entry: value, list })
  }
  try {
    for (const list of iterators.keys()) read(list)
    for (let first = heads.take(); first; first = heads.take()) {
      yield first.entry
      read(first.list)
    }
  } finally {
    for (const iterator of iterators) iterator.return?.()
  }
}

/** A binary heap: each item comes before the two below it, at twice its index plus 1 and plus 2. */
export class Heap<T> {
  readonly #items: T[] = []
  readonly #compare: Compare<T>

  constructor(compare: Compare<T>) {
    this.#compare = compare
  }

  /** The items in their places in the heap. */
  get items(): readonly T[] {
    return this.#items
  }

  add(item: T): void {
    let at = this.#items.push(item) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isBefore(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  /** Takes the first item. */
  take(): T | undefined {
    const items = this.#items
    if (items.length > 0) this.#swap(0, items.length - 1)
    const first = items.pop()
    for (let at = 0; ; ) {
      let next = at
      for (const child of [2 * at + 1, 2 * at + 2]) if (child < items.length && this.#isBefore(child, next)) next = child
      if (next === at) return first
      this.#swap(at, next)
      at = next
    }
  }

  #isBefore(a: number, b: number): boolean {
    return this.#compare(this.#items[a] as T, this.#items[b] as T) < 0
  }

  #swap(a: number, b: number): void {
    const items = this.#items
    const item = items[a] as T
    items[a] = items[b] as T
    items[b] = item
  }
}
