/**
 * What a piece of work tells its driver between two steps: `undefined`, others may have their turn now; a promise, it goes on when that is
 * settled; a number, milliseconds of the event loop that were spent for it elsewhere.
 */
export type Pause = undefined | number | Promise<unknown>

/**
 * Long work as a generator. Its driver measures what each step takes, and serves others between two steps, so a step should take a few
 * milliseconds at most. Work that never yields is as good as a function.
 */
// biome-ignore lint/suspicious/noExplicitAny: what a yield returns depends on the promise it was given
export type Work<T> = Generator<Pause, T, any>

/** A value that is there at once, or work that comes to it: what is short need not be a generator. */
export type MaybeWork<T> = T | Work<T>

/** Waits for a promise inside a piece of work: `const value = yield* wait(promise)`. */
export function* wait<T>(promise: Promise<T>): Work<T> {
  return (yield promise) as T
}

/** Whether a value is work that has yet to be driven. No JSON value has a function for a member. */
export function isWork<T>(value: MaybeWork<T>): value is Work<T> {
  return typeof value === "object" && value !== null && typeof (value as { next?: unknown }).next === "function"
}

/** Does a piece of work at once, without letting others have a turn. Throws where it has to wait for a promise. */
export function doNow<T>(work: MaybeWork<T>): T {
  if (!isWork(work)) return work
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (value instanceof Promise) throw new Error("this work has to wait for something")
  }
}

/** Does a piece of work for a caller who is not charged for it; others have their turn only while it waits for a promise. */
export async function finish<T>(work: Work<T>): Promise<T> {
  let step = work.next()
  while (!step.done) {
    if (!(step.value instanceof Promise)) {
      step = work.next()
      continue
    }
    const settled = await step.value.then(
      (value: unknown) => ({ value }),
      (error: unknown) => ({ error }),
    )
    step = "error" in settled ? work.throw(settled.error) : work.next(settled.value)
  }
  return step.value
}
