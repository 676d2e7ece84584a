/**
 * The value that work yields between two steps: `undefined` lets others have their turn, a promise must settle before the next step, and a
 * number is time on the event loop that was spent elsewhere for this work (milliseconds).
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
    // Work that is given up ends its walk.
    iterator.return?.()
  }
}

/** Computes a value from the result of work: at once if the result is there. */
export function after<A, B>(work: MaybeWork<A>, then: (result: A) => B): MaybeWork<B> {
  return isWork(work) ? thenLater(work, then) : then(work)
}

function* thenLater<A, B>(work: Work<A>, then: (result: A) => B): Work<B> {
  const result = yield* work
  yield
  return then(result)
}

/** Returns a value as work. A method's result is then printed in steps. */
// biome-ignore lint/correctness/useYield: the value is there already
export function* asWork<T>(value: T): Work<T> {
  return value
}
