import { expect, test } from "vitest"
import { ClientBudget } from "../limits/clientBudget.js"
import { LoopScheduler } from "../limits/loopScheduler.js"
import { Meter } from "../limits/meter.js"
import { RateLimiter } from "../limits/rateLimiter.js"
import type { Feed, Sink } from "./feed.js"
import { EventHub } from "./hub.js"

const HEIGHT = 100n

/** A feed with one byte for each height. */
const feed: Feed = {
  contentType: "text/event-stream",
  heartbeat: new Uint8Array(0),
  open: () => ({
    context: { height: HEIGHT, entryAt: () => ({ bytes: new Uint8Array(1) }) },
    release() {},
  }),
  onChange: () => () => {},
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test("past events are charged to the client that asks for them, and a client in debt gets no more of them (F6)", async () => {
  // With a frozen clock, only the fixed price of an event is charged, which is one unit.
  const limiter = new RateLimiter({ unitsPerSecond: 1, burst: 5 }, () => 0)
  const unlimited = new RateLimiter({ unitsPerSecond: 1, burst: 1000 }, () => 0)
  const hub = new EventHub({ feed, stallMilliseconds: 1000, heartbeatMilliseconds: 1000 })
  const streamOf = (client: string, limit: RateLimiter) => {
    const options = {
      scheduler: new LoopScheduler(),
      answers: new ClientBudget(1000),
      unitsPerMillisecond: 10,
      now: () => 0,
      processorTime: () => 0,
    }
    const counted = { events: 0 }
    const sink: Sink = {
      write: () => ++counted.events > 0,
      onDrain() {},
      destroy() {},
      meter: new Meter({ ...options, limiter: limit }, client),
    }
    hub.add(sink, { after: { height: 0n } })
    return counted
  }
  const [poor, rich] = [streamOf("poor", limiter), streamOf("rich", unlimited)]
  while (rich.events < Number(HEIGHT)) await turn()
  for (let i = 0; i < 10; i++) await turn()
  hub.close()
  expect([rich.events, unlimited.charged]).toEqual([100, 100])
  // Up to 16 events are sent before the units are looked at again.
  expect(poor.events).toBeGreaterThan(5)
  expect(poor.events).toBeLessThanOrEqual(5 + 16)
  expect(limiter.unitsOf("poor")).toBe(5 - poor.events)
})

test("a state that cannot be opened ends the stream that needs it, and no other; the error is reported", async () => {
  const changes: (() => void)[] = []
  let failing: Error | undefined
  const faults: unknown[] = []
  const hub = new EventHub({
    feed: {
      ...feed,
      open() {
        if (!failing) return feed.open()
        const error = failing
        failing = undefined
        throw error
      },
      onChange: (listener) => {
        changes.push(listener)
        return () => {}
      },
    },
    stallMilliseconds: 1000,
    heartbeatMilliseconds: 1000,
    onFault: (error) => faults.push(error),
  })
  const meter: Sink["meter"] = { run: (task) => task(), charge() {}, debtSeconds: undefined, reserve: () => true, release() {} }
  const streamOf = () => {
    const seen = { events: 0, isDestroyed: false }
    const destroy = () => {
      seen.isDestroyed = true
    }
    hub.add({ write: () => ++seen.events > 0, onDrain() {}, destroy, meter }, { after: { height: HEIGHT - 1n } })
    return seen
  }
  const [first, second] = [streamOf(), streamOf()]
  const unreadable = new Error("the store cannot be read")
  failing = unreadable
  await turn()
  expect([first, second]).toEqual([
    { events: 0, isDestroyed: true },
    { events: 1, isDestroyed: false },
  ])
  expect([faults, hub.size]).toEqual([[unreadable], 1])
  for (const change of changes) change()
  await turn()
  hub.close()
})

test("parts beside the heights are sent once, before the events of the same state, and again after a revert", async () => {
  let parts = ["facts", "first"]
  let height = 2n
  let change: Parameters<Feed["onChange"]>[0] = () => {}
  const text = (value: string) => new TextEncoder().encode(`${value} `)
  const hub = new EventHub({
    feed: {
      ...feed,
      open: () => ({
        context: {
          height,
          entryAt: (at) => ({ bytes: text(String(at)) }),
          besides: (sent) => (sent < parts.length ? { bytes: text(parts.slice(sent).join("+")), sent: parts.length } : undefined),
          revertEvent: () => text("revert"),
        },
        release() {},
      }),
      onChange: (listener) => {
        change = listener
        return () => {}
      },
    },
    stallMilliseconds: 1000,
    heartbeatMilliseconds: 1000,
    onFault: () => {},
  })
  const meter: Sink["meter"] = { run: (task) => task(), charge() {}, debtSeconds: undefined, reserve: () => true, release() {} }
  const sent: string[] = []
  const write = (bytes: Uint8Array) => sent.push(new TextDecoder().decode(bytes)) > 0
  const sink: Sink = { write, onDrain() {}, destroy() {}, meter }
  hub.add(sink, { after: { height: 0n } })
  await turn()
  parts = [...parts, "second"]
  change()
  await turn()
  height = 3n
  change()
  await turn()
  parts = ["facts", "other"]
  change(true)
  await turn()
  hub.close()
  expect(sent.join("")).toBe("facts+first 1 2 second 3 revert facts+other ")
})
