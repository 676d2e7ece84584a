import { expect, test } from "vitest"
import { utf8 } from "../../core/lib/bytes.js"
import { refusals } from "../../core/lib/invalid.js"
import { AnswerRoom } from "../answerRoom.js"
import { ClientBudget } from "../limits/clientBudget.js"
import { LoopScheduler } from "../limits/loopScheduler.js"
import { Meter } from "../limits/meter.js"
import { type AnyMethod, type HandledCall, type Lifetime, methodWith } from "../method.js"
import { PrintedJson } from "../printedJson.js"
import { string } from "../schema/kinds.js"
import { object } from "../schema/object.js"
import { json } from "../schema/outputs.js"
import { AnswerCache } from "./answerCache.js"
import { answerBody } from "./dispatch.js"
import type { Endpoint } from "./endpoint.js"

const testError = refusals({ "test.none": { sentence: "there is none", avalanchegoMessage: "none" } })

/** The facts that the answers of the tests depend on. */
interface Facts {
  state: number
  touched: number
  now: bigint
}

const BOUND = 40_000

/** An endpoint with methods of several lifetimes, and the texts that they were executed for. A step waits for `go`, if it is set. */
function endpoint() {
  const executed: string[] = []
  const facts: Facts = { state: 1, touched: 1, now: 10n }
  const held = { count: 0, go: undefined as Promise<void> | undefined }
  const method = methodWith<Facts>()
  const common = { summary: "", result: json, examples: [], params: object({ text: string }) }
  const ofState: Lifetime<unknown, Facts, unknown> = { kind: "state", summary: "", moment: (_, { state }) => `${state}` }
  const untilTouched: Lifetime<{ readonly text: string }, Facts, unknown> = {
    ...ofState,
    kind: "address",
    stamp: ({ text }, { touched }) => `${text} ${touched}`,
  }
  const handler = ({ text }: { readonly text: string }) => {
    executed.push(text)
    if (text === "none") throw testError("test.none")
    return text.startsWith("large") ? "x".repeat(Number(text.slice(5))) : text
  }
  async function inSteps(params: { readonly text: string }, _: unknown, { pace }: HandledCall): Promise<string> {
    if (held.go) await pace.wait(held.go)
    return handler(params)
  }
  const methods: readonly AnyMethod[] = [
    method({ ...common, name: "test.plain", handler }),
    method({ ...common, name: "test.state", lifetime: ofState, handler }),
    method({ ...common, name: "test.steps", lifetime: ofState, handler: inSteps }),
    method({ ...common, name: "test.touched", lifetime: untilTouched, handler }),
    method({ ...common, name: "test.some", lifetime: { ...ofState, keeps: (text) => text !== "passing" }, handler }),
    method({
      ...common,
      name: "test.printed",
      lifetime: { ...ofState, keeps: () => false },
      handler: (params) => PrintedJson.of(JSON.stringify(handler(params))),
    }),
    method({
      ...common,
      name: "test.timed",
      lifetime: { ...untilTouched, clock: { now: ({ now }) => now, changesAt: () => 20n } },
      handler,
    }),
  ]
  const answers = new AnswerCache(BOUND)
  const at: Endpoint = {
    service: { name: "test", needsChain: true, isPrivileged: false, isExtension: false, foreignOrigins: "allowed" },
    textFormat: { dialect: "contract" },
    methods: new Map(methods.map((each) => [each.name, each])),
    dialect: "contract",
    answers,
    answerRoom: new AnswerRoom(),
    open() {
      held.count++
      const context = { ...facts }
      return { context, height: 5n, hold: () => held.count++, release: () => held.count-- }
    },
  }
  const scheduler = new LoopScheduler()
  const meters = {
    limiter: undefined,
    scheduler,
    answers: new ClientBudget(1 << 20),
    unitsPerMillisecond: 1,
    now: () => 0,
    processorTime: () => 0,
  }
  /** Asks as a client, which has gone if `isGone` returns true. */
  const ask = (name: string, text: string, { id = 1, client = "a", isGone = (): boolean => false } = {}): Promise<string> => {
    const request = utf8(`{"jsonrpc":"2.0","id":${id},"method":"test.${name}","params":{"text":${JSON.stringify(text)}}}`)
    const meter = new Meter(meters, client)
    return new Promise((resolve, reject) => {
      const done = ({ body, height }: { body: readonly Uint8Array[]; height?: bigint | undefined }) =>
        resolve(`${Buffer.concat(body)} ${height}`)
      meter.drive(() => answerBody(request, at, { admission: meter }), {
        done,
        failed: reject,
        isGone,
        gone: () => resolve("gone"),
      })
    })
  }
  const made = async (name: string, ...texts: readonly string[]): Promise<string[]> => {
    for (const text of texts) await ask(name, text)
    return executed.splice(0)
  }
  return { executed, facts, answers, ask, made, held, scheduler }
}

test.each(["state", "steps"])("an answer of the method %s is stored on its second request", async (name) => {
  const { made, ask, answers } = endpoint()
  const first = await ask(name, "a")
  expect(first).toBe('{"jsonrpc":"2.0","result":"a","id":1}\n 5')
  expect(await made(name, "a", "a", "b")).toEqual(["a", "a", "b"])
  expect(await ask(name, "a", { id: 7 })).toBe(first.replace('"id":1', '"id":7'))
  expect(answers.counts.get("state")).toEqual({ hits: 2, misses: 3 })
})

test("a method without a lifetime is executed each time, and an error is never stored", async () => {
  const { made, answers } = endpoint()
  expect(await made("plain", "a", "a", "a")).toEqual(["a", "a", "a"])
  expect(await made("state", "none", "none", "none")).toEqual(["none", "none", "none"])
  expect(answers.size).toBe(0)
})

test("an answer for a state is made again in the next state, and stored if it was stored before", async () => {
  const { made, facts } = endpoint()
  expect(await made("state", "a")).toEqual(["a"])
  facts.state++
  // It was requested once in each of two states.
  expect(await made("state", "a", "a", "a")).toEqual(["a", "a"])
  facts.state++
  expect(await made("state", "a", "a")).toEqual(["a"])
})

test("an answer about an address holds in later states, until the address is touched", async () => {
  const { made, facts } = endpoint()
  expect(await made("touched", "a", "a", "a")).toEqual(["a", "a"])
  facts.state++
  expect(await made("touched", "a", "a")).toEqual([])
  facts.touched++
  // Nothing is looked up again at the same moment.
  expect(await made("touched", "a")).toEqual([])
  facts.state++
  expect(await made("touched", "a", "a")).toEqual(["a"])
})

test("an answer that changes with time is made again at that time, and when the clock was set back", async () => {
  const { made, facts } = endpoint()
  expect(await made("timed", "a", "a", "a")).toEqual(["a", "a"])
  for (const [now, expected] of [
    [19n, []],
    [20n, ["a"]],
    [10n, ["a"]],
    [9n, ["a"]],
  ] as const) {
    facts.now = now
    expect([now, await made("timed", "a")]).toEqual([now, expected])
  }
})

test("a result that the lifetime does not keep is never stored, also if the handler printed it (C9)", async () => {
  const { made } = endpoint()
  expect(await made("some", "passing", "passing", "passing", "lasting", "lasting", "lasting")).toEqual([
    "passing",
    "passing",
    "passing",
    "lasting",
    "lasting",
  ])
  expect(await made("printed", "a", "a", "a")).toEqual(["a", "a", "a"])
})

test("methods do not share answers, and those to very long parameters are not stored", async () => {
  const { made } = endpoint()
  const long = "x".repeat(1 << 14)
  expect(await made("state", "a", "a", long, long, long)).toEqual(["a", "a", long, long, long])
  expect(await made("touched", "a")).toEqual(["a"])
})

test("a scan over many questions evicts no stored answer, and one answer takes at most an eighth of the bound", async () => {
  const { made, answers } = endpoint()
  const walk = Array.from({ length: 40 }, (_, i) => `large${900 + i}`)
  await made("state", "a", "a")
  expect(await made("state", ...walk, ...walk)).toEqual([...walk, ...walk])
  expect(await made("state", "a")).toEqual([])
  expect(await made("state", ...["1", "2", "3"].map(() => `large${BOUND / 8}`))).toHaveLength(3)
  for (let i = 0; i < 3; i++) for (let size = 0; size < 30; size++) await made("state", `large${size * 100}`)
  expect(answers.size).toBeLessThanOrEqual(BOUND / 2)
})

/** A promise, and the function that resolves it. */
function gate(): { readonly open: () => void; readonly passed: Promise<void> } {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, passed }
}

test("calls that need the same answer at the same time share one computation, which is stored", async () => {
  const { executed, ask, held } = endpoint()
  const { open, passed } = gate()
  held.go = passed
  const asked = ["a", "b", "c"].map((client) => ask("steps", "x", { client }))
  open()
  const [first, second, third] = await Promise.all(asked)
  expect([second, third, await ask("steps", "x")]).toEqual([first, first, first])
  expect([executed, held.count]).toEqual([["x"], 0])
})

test("the computation ends although the client that began it has left, and all holds are given back (C8)", async () => {
  const { executed, ask, held } = endpoint()
  const { open, passed } = gate()
  held.go = passed
  const left = ask("steps", "x", { isGone: () => executed.length > 0 })
  const other = ask("steps", "x", { client: "b" })
  open()
  expect([await left, await other]).toEqual(["gone", '{"jsonrpc":"2.0","result":"x","id":1}\n 5'])
  expect([executed, held.count]).toEqual([["x"], 0])
})

test("calls of another state make their own answer, and an error reaches all that wait for it", async () => {
  const { executed, facts, ask, held } = endpoint()
  const { open, passed } = gate()
  held.go = passed
  const first = ask("steps", "x")
  facts.state++
  const second = ask("steps", "x")
  const failing = [ask("steps", "none"), ask("steps", "none", { client: "b" })]
  open()
  await Promise.all([first, second])
  const [error, same] = await Promise.all(failing)
  expect([executed.sort(), error === same, error?.includes("test.none"), held.count]).toEqual([["none", "x", "x"], true, true, 0])
})
