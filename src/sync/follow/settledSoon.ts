import { setTimeout } from "node:timers/promises"

interface SoonOptions {
  readonly signal: AbortSignal
  /** The time that is left for the others once one of the attempts has succeeded, milliseconds. */
  readonly graceMs: number
}

/** Makes an attempt for each value, all at once, and returns the outcomes. Attempts that take longer than the others are ended and fail. */
export async function settledSoon<T, U>(
  values: readonly T[],
  attempt: (value: T, signal: AbortSignal) => Promise<U>,
  { signal, graceMs }: SoonOptions,
): Promise<PromiseSettledResult<U>[]> {
  const late = new AbortController()
  const stop = () => late.abort(signal.reason)
  signal.addEventListener("abort", stop, { once: true })
  if (signal.aborted) stop()
  const attempts = values.map((value) => attempt(value, late.signal))
  const all = Promise.allSettled(attempts)
  try {
    const grace = Promise.any(attempts).then(() => setTimeout(graceMs, undefined, { signal: late.signal }))
    await Promise.race([all, grace.catch(() => all)])
    late.abort(new Error(`there was no answer for ${graceMs / 1000} s`))
    return await all
  } finally {
    signal.removeEventListener("abort", stop)
  }
}
