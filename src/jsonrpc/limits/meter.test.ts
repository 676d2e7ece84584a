import { expect, test } from "vitest"
import { ClientBudget } from "./clientBudget.js"
import { LoopScheduler } from "./loopScheduler.js"
import { Meter, type WorkCallbacks } from "./meter.js"
import { RateLimiter } from "./rateLimiter.js"
import { Abandoned } from "./requestPace.js"

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

/** Resolves with what became of a task. */
function driven<T>(meter: Meter, task: () => T | Promise<T>, isGone = () => false): Promise<T | "gone" | Error> {
  return new Promise((resolve) => {
    const ended: WorkCallbacks<T> = {
      done: resolve,
      failed: (error) => resolve(error as Error),
      gone: () => resolve("gone"),
      isGone,
    }
    meter.drive(task, ended)
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

test("every piece of asynchronous work is charged", async () => {
  const { clock, meterOf, used } = meters(2)
  const meter = meterOf("a")
  const pace = meter.paceOf(false)
  async function work(): Promise<string> {
    clock.now += 4
    const value = await pace.wait(Promise.resolve("value"))
    clock.now += 5
    await pace.pause()
    clock.now += 6
    pace.end()
    return value
  }
  expect(await driven(meter, work)).toBe("value")
  expect(used("a")).toBe(2 * (4 + 5 + 6))
})

test("long work is interrupted for another client, and a client in between begins nothing else", async () => {
  const { clock, meterOf } = meters()
  const order: string[] = []
  const long = (client: string, name: string, count: number) => {
    const meter = meterOf(client)
    return driven(meter, async () => {
      const pace = meter.paceOf(false)
      for (let i = 0; i < count; i++) {
        order.push(`${name}${i}`)
        clock.now += 11
        if (pace.isDue) await pace.pause()
      }
      pace.end()
    })
  }
  await Promise.all([long("a", "long", 3), long("a", "next", 1), long("b", "other", 1)])
  expect(order).toEqual(["long0", "long1", "other0", "long2", "next0"])
})

test("tasks that waited for one promise end in several turns, not all in the turn in which the promise settles", async () => {
  const { clock, meterOf } = meters()
  let settle = () => {}
  const rows = new Promise<void>((resolve) => {
    settle = resolve
  })
  let ended = 0
  const done = () => {
    ended++
    clock.now += 9
  }
  const gone = () => {}
  for (let i = 0; i < 20; i++) meterOf("a").drive(() => rows, { done, failed: gone, gone, isGone: () => false })
  settle()
  for (let i = 0; i < 100; i++) await Promise.resolve()
  expect(ended).toBe(2)
  while (ended < 20) await new Promise((resolve) => setImmediate(resolve))
})

test("nothing is done for a client that has disconnected: before the task, after its promise, or when it was abandoned", async () => {
  const { meterOf } = meters()
  let isGone = true
  expect(
    await driven(
      meterOf("a"),
      () => "made",
      () => isGone,
    ),
  ).toBe("gone")
  isGone = false
  const outcome = driven(
    meterOf("a"),
    () => Promise.resolve("made"),
    () => isGone,
  )
  isGone = true
  expect(await outcome).toBe("gone")
  expect(await driven(meterOf("a"), () => Promise.reject(new Abandoned()))).toBe("gone")
})

test("an error is reported, also that of a promise", async () => {
  const fail = () => {
    throw new Error("no")
  }
  expect(await driven(meters().meterOf("a"), fail)).toEqual(new Error("no"))
  expect(await driven(meters().meterOf("a"), async () => fail())).toEqual(new Error("no"))
})

test("an answer holds its bytes until it has been sent", () => {
  const { answers, meterOf } = meters()
  const [meter, other] = [meterOf("a"), meterOf("a")]
  expect([meter.reserve(30), meter.reserveAll(50), other.reserve(20), answers.used]).toEqual([true, true, false, 50])
  meter.release()
  expect([other.reserve(20), answers.used]).toEqual([true, 20])
})

test("what waits for its turn is ended when the server closes, so that it gives back what it holds (C14)", async () => {
  const { clock, scheduler, meterOf } = meters()
  const [first, second] = [meterOf("a"), meterOf("b")]
  let isReleased = false
  const long = driven(first, async () => {
    const pace = first.paceOf(false)
    try {
      clock.now += 11
      await pace.pause()
    } finally {
      isReleased = true
    }
  })
  const waiting = driven(second, () => "made")
  scheduler.close()
  expect([await long, await waiting, isReleased, scheduler.waiting]).toEqual(["gone", "gone", true, 0])
})
