/** The value that work yields between two steps: `undefined` lets other work run, and a promise must settle before the next step. */
type Pause = undefined | Promise<unknown>

/**
 * A long computation as a generator. Its driver measures each step and runs other work between two steps, so a step should take a few
 * milliseconds at most. Work that never yields is the same as a function.
 */
// biome-ignore lint/suspicious/noExplicitAny: what a yield returns depends on the promise it was given
export type Work<T> = Generator<Pause, T, any>

/** A value, or work that computes it. Short computations need no generator. */
export type MaybeWork<T> = T | Work<T>

/** Waits for a promise inside work: `const value = yield* wait(promise)`. */
export function* wait<T>(promise: Promise<T>): Work<T> {
  return (yield promise) as T
}

/** Returns whether a value is work that is not finished. No JSON value has a function as a member. */
export function isWork<T>(value: MaybeWork<T>): value is Work<T> {
  return typeof value === "object" && value !== null && typeof (value as { next?: unknown }).next === "function"
}

/** Runs work to its end at once, without other work in between. Throws if it has to wait for a promise. */
export function doNow<T>(work: MaybeWork<T>): T {
  if (!isWork(work)) return work
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (value instanceof Promise) throw new Error("this work has to wait for something")
  }
}

/** Runs work to its end for a caller that is not charged. Other work runs only while it waits for a promise. */
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
