import { expect, test, vi } from "vitest"
import { GrpcError, grpcStatus } from "./grpc/grpcError.js"
import { Watchdog, type Watched } from "./watchdog.js"

/** A watchdog whose timers run by hand. */
function watch(plugin: Partial<Watched>) {
  const timers = new Map<number, () => void>()
  const failures: string[] = []
  const watchdog = new Watchdog({
    health: async () => ({}),
    memory: () => 1000,
    after(milliseconds, task) {
      timers.set(milliseconds, task)
      return () => timers.delete(milliseconds)
    },
    onFailure: (reason) => failures.push(reason),
    ...plugin,
  })
  const run = (milliseconds: number) => {
    const task = timers.get(milliseconds)
    timers.delete(milliseconds)
    task?.()
  }
  return { watchdog, timers, failures, run }
}

const LOOK = 10_000
const ANSWER = 20_000

test("a plugin that answers is looked at again and again", async () => {
  const { timers, failures, run } = watch({})
  for (let i = 0; i < 3; i++) {
    run(LOOK)
    await vi.waitFor(() => expect([...timers.keys()]).toEqual([LOOK]))
  }
  expect(failures).toEqual([])
})

test("a plugin that does not answer is ended", async () => {
  const health = (signal: AbortSignal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new GrpcError(grpcStatus.cancelled, "cancelled")))
    })
  const { timers, failures, run } = watch({ health })
  run(LOOK)
  await vi.waitFor(() => expect(timers.has(ANSWER)).toBe(true))
  run(ANSWER)
  await vi.waitFor(() => expect(failures).toEqual(["its VM has not answered for 20 seconds"]))
  expect([...timers.keys()]).toEqual([])
})

test("a plugin that takes too much memory is ended", async () => {
  const { failures, run } = watch({ memory: () => 5 * 2 ** 30 })
  run(LOOK)
  await vi.waitFor(() => expect(failures).toEqual(["its plugin took 5368709120 bytes of memory, more than 4294967296"]))
})

test("a VM that says what is wrong goes on, and is well again when it says so", async () => {
  let error: GrpcError | undefined = new GrpcError(grpcStatus.unknown, "database closed")
  const health = async () => {
    if (error) throw error
  }
  const { watchdog, timers, failures, run } = watch({ health })
  run(LOOK)
  await vi.waitFor(() => expect(timers.has(LOOK)).toBe(true))
  expect(watchdog.illness).toBe("database closed")
  error = undefined
  run(LOOK)
  await vi.waitFor(() => expect(timers.has(LOOK)).toBe(true))
  expect(watchdog.illness).toBeUndefined()
  expect(failures).toEqual([])
})

test("nothing happens after its end", async () => {
  const { watchdog, timers, failures, run } = watch({ memory: () => 5 * 2 ** 30 })
  const look = timers.get(LOOK)
  watchdog.end()
  expect([...timers.keys()]).toEqual([])
  look?.()
  run(LOOK)
  expect(failures).toEqual([])
})
