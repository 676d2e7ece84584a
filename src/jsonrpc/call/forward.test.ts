import { expect, test } from "vitest"
import { wait } from "../../core/lib/work.js"
import { LoopScheduler } from "../limits/loopScheduler.js"
import { type AnyMethod, methodWith } from "../method.js"
import { nothing } from "../schema/object.js"
import { json } from "../schema/outputs.js"
import type { CallReport, Endpoint } from "./endpoint.js"
import { executeForwarded } from "./forward.js"

const method = methodWith<unknown>()
const common = { summary: "", result: json, examples: [], params: nothing }

function endpoint(...methods: readonly AnyMethod[]): Endpoint {
  return {
    service: { name: "platform", needsChain: true, isPrivileged: false, isExtension: false, foreignOrigins: "allowed" },
    textFormat: { dialect: "contract" },
    methods: new Map(methods.map((each) => [each.name, each])),
    dialect: "contract",
    open: () => ({ context: undefined, release: () => {} }),
  }
}

const callOf = (name: string) => ({
  service: "platform",
  method: name,
  params: undefined,
  serverUrl: undefined,
  foreignOrigin: undefined,
})
const textOf = (json: unknown): string => (typeof json === "string" ? json : Buffer.concat(json as Uint8Array[]).toString())

test("calls of other processes share the turns of the event loop, and each reports what it took", async () => {
  let steps = 0
  const long = method({
    ...common,
    name: "platform.long",
    *handler() {
      for (let i = 0; i < 3; i++) {
        steps++
        yield 9
      }
      return "done"
    },
  })
  const scheduler = new LoopScheduler()
  const served = endpoint(long)
  const reports: CallReport[] = []
  const calls = Array.from({ length: 20 }, (_, i) =>
    executeForwarded(callOf("platform.long"), served, (report) => void reports.push(report), { scheduler, name: String(i) }),
  )
  for (let i = 0; i < 100; i++) await Promise.resolve()
  // Two steps of 9 ms use up a turn, and everything else waits for the next one.
  expect(steps).toBeLessThanOrEqual(2)
  expect(scheduler.waiting).toBe(20)
  const outcomes = await Promise.all(calls)
  expect(new Set(outcomes.map(({ outcome }) => textOf(outcome.json)))).toEqual(new Set(['"done"']))
  expect(outcomes.every(({ milliseconds }) => milliseconds >= 27)).toBe(true)
  expect([steps, reports.length, scheduler.waiting]).toEqual([60, 20, 0])
})

test("a call that waits for a promise continues with its value, and an error of the promise is its outcome", async () => {
  const waiting = (name: string, promise: () => Promise<unknown>) =>
    method({
      ...common,
      name,
      *handler() {
        return yield* wait(promise() as Promise<string>)
      },
    })
  const served = endpoint(
    waiting("platform.later", async () => "later"),
    waiting("platform.fails", () => Promise.reject(new Error("no"))),
  )
  const run = (name: string) => executeForwarded(callOf(name), served, () => {}, { scheduler: new LoopScheduler(), name })
  expect(textOf((await run("platform.later")).outcome.json)).toBe('"later"')
  expect((await run("platform.fails")).outcome.member).toBe("error")
})

test("a promise that fails in a turn that its call has used up is the outcome of the call, and nothing else", async () => {
  const scheduler = new LoopScheduler()
  const fails = method({
    ...common,
    name: "platform.fails",
    handler: () => {
      scheduler.spend(50)
      return Promise.reject(new Error("no")) as Promise<string>
    },
  })
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  process.on("unhandledRejection", note)
  const { outcome } = await executeForwarded(callOf("platform.fails"), endpoint(fails), () => {}, { scheduler, name: "a" })
  await new Promise((resolve) => setImmediate(resolve))
  process.off("unhandledRejection", note)
  expect([outcome.member, unhandled]).toEqual(["error", []])
})
