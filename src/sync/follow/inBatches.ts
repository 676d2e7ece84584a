import { setImmediate } from "node:timers/promises"

/**
 * Reads up to `ahead` items ahead and returns them in batches of up to `batch`: those that arrive together, more if they arrive faster than
 * they are taken. An error of the items follows the items before it.
 */
export async function* inBatches<T>(items: AsyncIterable<T>, batch: number, ahead: number): AsyncGenerator<T[]> {
  const queue: T[] = []
  let end: { readonly error?: unknown } | undefined
  let wake = () => {}
  const changed = () => new Promise<void>((resolve) => (wake = resolve))
  let isLeft = false
  const read = async () => {
    for await (const item of items) {
      queue.push(item)
      wake()
      while (queue.length >= ahead && !isLeft) await changed()
      if (isLeft) return
    }
  }
  const reading = read().then(
    () => (end = {}),
    (error) => (end = { error }),
  )
  reading.finally(() => wake())
  try {
    for (;;) {
      while (queue.length === 0 && !end) await changed()
      // The items of one chunk arrive one promise after the other. A turn of the event loop later all of them are there.
      if (queue.length < batch && !end) await setImmediate()
      if (queue.length > 0) {
        const taken = queue.splice(0, batch)
        wake()
        yield taken
      } else if (end && "error" in end) throw end.error
      else return
    }
  } finally {
    isLeft = true
    wake()
  }
}
