import { expect, test } from "vitest"
import { LoopScheduler } from "./loopScheduler.js"
import { Abandoned, RequestPace } from "./requestPace.js"

/** Paces over a clock that only moves when work says so, and what each client was charged. */
function paces() {
  const clock = { now: 0 }
  const scheduler = new LoopScheduler()
  const charged = new Map<string, number>()
  const gone = new Set<string>()
  const paceOf = (client: string) => {
    const spend = (milliseconds: number) => {
      scheduler.spend(milliseconds)
      charged.set(client, (charged.get(client) ?? 0) + milliseconds)
    }
    const measure = () => {
      const started = clock.now
      return () => spend(clock.now - started)
    }
    return new RequestPace(client, { scheduler, now: () => clock.now, measure, spend, isGone: () => gone.has(client) })
  }
  return { clock, scheduler, charged, gone, paceOf }
}

/** Works for a number of pieces of 10 ms each. */
async function work(pace: RequestPace, clock: { now: number }, pieces: number, onPiece: () => void = () => {}): Promise<void> {
  pace.begin()
  for (let i = 0; i < pieces; i++) {
    clock.now += 10
    onPiece()
    if (pace.isDue) await pace.pause()
  }
  pace.end()
}

test("clients have their turns one piece after the other, and each is charged for its own pieces", async () => {
  const { clock, charged, paceOf } = paces()
  const order: string[] = []
  await Promise.all(["a", "b", "c"].map((name) => work(paceOf(name), clock, 3, () => order.push(name))))
  expect(order.join("")).toBe("abcabcabc")
  expect(Object.fromEntries(charged)).toEqual({ a: 30, b: 30, c: 30 })
})

test("waiting is not charged; what was spent elsewhere is, also if the client has left meanwhile (C3)", async () => {
  const { clock, charged, gone, paceOf } = paces()
  const pace = paceOf("a")
  pace.begin()
  clock.now += 4
  const elsewhere = await pace.wait(
    new Promise<number>((resolve) =>
      setImmediate(() => {
        clock.now += 1000
        gone.add("a")
        resolve(500)
      }),
    ),
  )
  pace.charge(elsewhere)
  expect(charged.get("a")).toBe(504)
  await expect(pace.pause()).rejects.toThrow(Abandoned)
})

test("detached work does not wait for other work of its client (C8)", async () => {
  const { clock, paceOf } = paces()
  const shared = paceOf("a")
  let end = 0
  const result = work(shared, clock, 10).then(() => {
    end = clock.now
  })
  const others = Array.from({ length: 63 }, () => work(paceOf("a"), clock, 10))
  const started = clock.now
  shared.detach()
  await result
  expect(end - started).toBeLessThanOrEqual(2 * 9 * 10 + 10)
  await Promise.all(others)
})

test("work that waits for its turn is abandoned when the server closes (C14)", async () => {
  const { clock, scheduler, paceOf } = paces()
  const result = work(paceOf("a"), clock, 10)
  scheduler.close()
  await expect(result).rejects.toThrow(Abandoned)
})

test("of those who wait for one promise, one continues at once, and the others have their turns", async () => {
  const { clock, paceOf } = paces()
  let settle = () => {}
  const rows = new Promise<void>((resolve) => {
    settle = resolve
  })
  let continued = 0
  const waiting = Array.from({ length: 20 }, async () => {
    const pace = paceOf("a")
    await pace.wait(rows)
    continued++
    clock.now += 9
    pace.end()
  })
  settle()
  for (let i = 0; i < 100; i++) await Promise.resolve()
  expect(continued).toBe(1)
  await Promise.all(waiting)
  expect(continued).toBe(20)
})
