import { expect, test } from "vitest"
import { type Work, wait } from "../../core/lib/work.js"
import { ClientBudget } from "./clientBudget.js"
import { LoopScheduler } from "./loopScheduler.js"
import { Meter, type WorkCallbacks } from "./meter.js"
import { RateLimiter } from "./rateLimiter.js"

/** Meters over a clock that only moves when work says so. */
function meters(unitsPerMillisecond = 1) {
  const clock = { now: 0 }
  const limiter = new RateLimiter({ unitsPerSecond: 0, burst: 1000 }, () => 0)
  const scheduler = new LoopScheduler()
  const answers = new ClientBudget(100, 60)
  const options = { limiter, scheduler, answers, unitsPerMillisecond, now: () => clock.now, processorTime: () => clock.now }
  const meterOf = (client: string) => new Meter(options, client)
  const used = (client: string) => 1000 - limiter.unitsOf(client)
  return { clock, scheduler, answers, meterOf, used }
}

/** Resolves with what became of a piece of work. */
function driven<T>(meter: Meter, work: Work<T>, isGone = () => false): Promise<T | "gone" | Error> {
  return new Promise((resolve) => {
    const ended: WorkCallbacks<T> = {
      done: resolve,
      failed: (error) => resolve(error as Error),
      gone: () => resolve("gone"),
      isGone,
    }
    meter.drive(() => work, ended)
  })
}

test("a request costs its price or what it used, whichever is more", () => {
  const { clock, meterOf, used } = meters()
  const cheap = meterOf("a")
  cheap.charge(0.5)
  expect(cheap.admit(5)).toBeUndefined()
  cheap.run(() => {
    clock.now += 3
  })
  expect(used("a")).toBe(5)
  cheap.run(() => {
    clock.now += 10
    // Inside another piece of the same request, time counts once.
    cheap.run(() => {
      clock.now += 1
    })
  })
  expect(used("a")).toBe(14.5)
})

test("every step is charged, also after a promise", async () => {
  const { clock, meterOf, used } = meters(2)
  function* work(): Work<string> {
    clock.now += 4
    const value = yield* wait(Promise.resolve("value"))
    clock.now += 5
    return value
  }
  expect(await driven(meterOf("a"), work())).toBe("value")
  await Promise.resolve()
  expect(used("a")).toBe(2 * (4 + 5))
})

test("long work is interrupted for another client, and a client in between begins nothing else", async () => {
  const { clock, meterOf } = meters()
  const order: string[] = []
  function* steps(name: string, count: number): Work<void> {
    for (let i = 0; i < count; i++) {
      order.push(`${name}${i}`)
      clock.now += 11
      yield
    }
  }
  await Promise.all([
    driven(meterOf("a"), steps("long", 3)),
    driven(meterOf("a"), steps("next", 1)),
    driven(meterOf("b"), steps("other", 1)),
  ])
  expect(order).toEqual(["long0", "long1", "other0", "long2", "next0"])
})

test("work that waited for one promise continues in several turns, not all in the turn in which the promise settles", async () => {
  const { clock, meterOf } = meters()
  let settle = () => {}
  const rows = new Promise<void>((resolve) => {
    settle = resolve
  })
  let continued = 0
  function* work(): Work<void> {
    yield* wait(rows)
    continued++
    clock.now += 9
  }
  const outcomes = Array.from({ length: 20 }, () => driven(meterOf("a"), work()))
  settle()
  for (let i = 0; i < 100; i++) await Promise.resolve()
  expect(continued).toBe(2)
  await Promise.all(outcomes)
  expect(continued).toBe(20)
})

test("work whose client has disconnected is cancelled and cleans up", async () => {
  const { clock, meterOf } = meters()
  let [isGone, isClean] = [false, false]
  function* work(): Work<void> {
    try {
      for (;;) {
        clock.now += 11
        yield
      }
    } finally {
      isClean = true
    }
  }
  const outcome = driven(meterOf("a"), work(), () => isGone)
  isGone = true
  expect([await outcome, isClean]).toEqual(["gone", true])
})

test("an error in a later step is reported", async () => {
  function* work(): Work<void> {
    yield* wait(Promise.reject(new Error("no")))
  }
  expect(await driven(meters().meterOf("a"), work())).toEqual(new Error("no"))
})

test("an answer holds its bytes until it has been sent", () => {
  const { answers, meterOf } = meters()
  const [meter, other] = [meterOf("a"), meterOf("a")]
  expect([meter.reserve(30), meter.reserveAll(50), other.reserve(20), answers.used]).toEqual([true, true, false, 50])
  meter.release()
  expect([other.reserve(20), answers.used]).toEqual([true, 20])
})

/** Work of ten steps that each take a whole turn of the event loop. */
function* longWork(clock: { now: number }, onEnd: () => void = () => {}): Work<string> {
  try {
    for (let i = 0; i < 10; i++) {
      clock.now += 10
      yield
    }
    return "made"
  } finally {
    onEnd()
  }
}

test("work that waits for its turn is ended when the server closes, so that it gives back what it holds (C14)", async () => {
  const { clock, scheduler, meterOf } = meters()
  let ended = 0
  const outcomes = ["a", "b"].map((client) =>
    driven(
      meterOf(client),
      longWork(clock, () => ended++),
    ),
  )
  scheduler.close()
  expect(await Promise.all(outcomes)).toEqual(["gone", "gone"])
  // The second one had not begun.
  expect([ended, scheduler.waiting]).toEqual([1, 0])
})
