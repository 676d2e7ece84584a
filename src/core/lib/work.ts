/**
 * The value that work yields between two steps: `undefined` lets other work run, a promise must settle before the next step, and a number
 * is event loop time that was spent elsewhere for this work (milliseconds).
 */
export type Pause = undefined | number | Promise<unknown>

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

/**
 * Runs work to its end. Other work runs only while it waits for a promise. `charge` receives the milliseconds that were spent elsewhere for this
 * work; by default nobody is charged.
 */
export async function finish<T>(work: Work<T>, charge?: (milliseconds: number) => void): Promise<T> {
  let step = work.next()
  while (!step.done) {
    if (!(step.value instanceof Promise)) {
      if (typeof step.value === "number") charge?.(step.value)
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

/** The number of values that `collect` collects in one step: some tenths of a millisecond for rows of a store. */
const VALUES_PER_STEP = 256

/** Collects values: at once if they are few, otherwise in steps. */
export function collect<T>(values: Iterable<T>): MaybeWork<T[]> {
  const iterator = values[Symbol.iterator]()
  const collected: T[] = []
  for (let next = iterator.next(); !next.done; next = iterator.next()) {
    collected.push(next.value)
    if (collected.length === VALUES_PER_STEP) return collectRest(iterator, collected)
  }
  return collected
}

function* collectRest<T>(iterator: Iterator<T>, collected: T[]): Work<T[]> {
  try {
    yield
    for (let next = iterator.next(); !next.done; next = iterator.next()) {
      collected.push(next.value)
      if (collected.length % VALUES_PER_STEP === 0) yield
    }
    return collected
  } finally {
    // If the work is abandoned, its iteration ends.
    iterator.return?.()
  }
}

/** Computes a value from the result of work, at once if the result is available. */
export function after<A, B>(work: MaybeWork<A>, then: (result: A) => B): MaybeWork<B> {
  return isWork(work) ? thenLater(work, then) : then(work)
}

function* thenLater<A, B>(work: Work<A>, then: (result: A) => B): Work<B> {
  const result = yield* work
  yield
  return then(result)
}

/** Returns a value as work, so that a method's result is printed in steps. */
// biome-ignore lint/correctness/useYield: the value is there already
export function* asWork<T>(value: T): Work<T> {
  return value
}
