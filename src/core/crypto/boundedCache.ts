/** A map that holds at most so many entries, and lets go of the one that was not asked for the longest. */
export interface BoundedCache<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
}

/** An empty cache for this many entries, one at least. */
export function boundedCache<Value extends {}>(entries: number): BoundedCache<Value> {
  if (!(entries >= 1)) throw new Error(`a cache holds one entry at least, not ${entries}`)
  // A map keeps the order in which keys were put in, so the first one is the oldest.
  const values = new Map<string, Value>()
  return {
    get(key) {
      const value = values.get(key)
      if (value !== undefined) {
        values.delete(key)
        values.set(key, value)
      }
      return value
    },
    set(key, value) {
      values.delete(key)
      values.set(key, value)
      if (values.size > entries) values.delete(values.keys().next().value!)
    },
  }
}
