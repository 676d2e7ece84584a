import { expect, test, vi } from "vitest"
import { utf8 } from "../../core/lib/bytes.js"
import { refusals } from "../../core/lib/invalid.js"
import type { Json } from "../../core/lib/json.js"
import { parseJson } from "../../core/lib/parseJson.js"
import { AnswerRoom } from "../answerRoom.js"
import { LoopScheduler } from "../limits/loopScheduler.js"
import type { Admission } from "../limits/meter.js"
import { Abandoned, RequestPace } from "../limits/requestPace.js"
import { type AnyMethod, methodWith } from "../method.js"
import { PrintedJson } from "../printedJson.js"
import { string, withDefault } from "../schema/kinds.js"
import { u64 } from "../schema/numbers.js"
import { nothing, object } from "../schema/object.js"
import { json } from "../schema/outputs.js"
import { answerBody, handle } from "./dispatch.js"
import type { Endpoint } from "./endpoint.js"

const testError = refusals({
  "test.no_such_thing": { sentence: "there is no such thing", avalanchegoMessage: ({ name }) => `thing ${name} not found` },
})

const method = methodWith<unknown>()
const common = { summary: "", result: json, examples: [] }
const methods: readonly AnyMethod[] = [
  method({ ...common, name: "platform.getHeight", params: nothing, handler: () => ({ height: "36" }) }),
  method({ ...common, name: "platform.echo", params: object({ text: string }), handler: ({ text }) => text }),
  method({
    ...common,
    name: "platform.add",
    params: object({ a: u64, b: withDefault(u64, 1n) }),
    handler: ({ a, b }) => ({ sum: a + b }),
  }),
  method({ ...common, name: "platform.raw", params: nothing, handler: () => new PrintedJson(utf8('{"ready":true}')) }),
  method({ ...common, name: "platform.later", params: nothing, handler: async () => "later" }),
  method({
    ...common,
    name: "platform.refuse",
    params: nothing,
    async handler() {
      throw testError("test.no_such_thing", { name: "x", amount: 5n, bytes: new Uint8Array([1]), none: undefined })
    },
  }),
  method({
    ...common,
    name: "platform.fault",
    params: nothing,
    handler() {
      throw new Error("secret")
    },
  }),
  method({ ...common, name: "platform.own", params: nothing, nodeSpecific: true, handler: () => "me" }),
  method({ ...common, name: "platform.heavy", params: nothing, cost: 10, handler: () => "heavy" }),
  method({ ...common, name: "platform.large", params: nothing, handler: () => "x".repeat(1 << 20) }),
  method({
    ...common,
    name: "platform.steps",
    params: nothing,
    async handler(_params, _context, { pace }) {
      const second = await pace.wait(Promise.resolve(2))
      pace.charge(5)
      return [1, second, 3]
    },
  }),
  method({
    ...common,
    name: "platform.brokenSteps",
    params: nothing,
    async handler() {
      throw new Error("ours")
    },
  }),
  method({
    ...common,
    name: "platform.abandoned",
    params: nothing,
    async handler() {
      throw new Abandoned()
    },
  }),
  method({ ...common, name: "rpc.discover", params: nothing, onlyIn: "contract", handler: () => "all" }),
]

function endpoint(changes: Partial<Endpoint> = {}): Endpoint {
  return {
    service: { name: "platform", needsChain: true, isPrivileged: false, isExtension: false, foreignOrigins: "allowed" },
    textFormat: { dialect: changes.dialect ?? "contract" },
    methods: new Map(methods.map((each) => [each.name, each])),
    dialect: "contract",
    answerRoom: new AnswerRoom(),
    open: () => ({ context: undefined, release: () => {} }),
    ...changes,
  }
}
const avalanchego = endpoint({ dialect: "avalanchego" })

const paceOf: Admission["paceOf"] = () =>
  new RequestPace("client", {
    scheduler: new LoopScheduler(),
    now: () => 0,
    measure: () => () => {},
    spend: () => {},
    isGone: () => false,
  })

async function ask(body: string, at: Endpoint = endpoint(), admission?: Admission) {
  const reply = await handle(utf8(body), at, admission ? { admission } : {})
  const text = Buffer.concat(reply.body).toString()
  return { ...reply, text, json: text === "" ? undefined : (parseJson(text) as { [key: string]: Json }) }
}

const request = (name: string, params = "{}", id = "1") =>
  `{"jsonrpc":"2.0","method":"platform.${name}","params":${params},"id":${id}}`

test("an answer is the result, the id, and a line end", async () => {
  const { text, status, isExecuted } = await ask(request("getHeight", "{}", "9007199254740993"))
  expect(text).toBe('{"jsonrpc":"2.0","result":{"height":"36"},"id":9007199254740993}\n')
  expect({ status, isExecuted }).toEqual({ status: 200, isExecuted: true })
})

test("a short request is answered at once; a long request, a batch and a promise are answered later", () => {
  const isLater = (body: string) => answerBody(utf8(body), endpoint(), {}) instanceof Promise
  const [short, long] = [request("getHeight"), request("getHeight", `{"x":"${"y".repeat(200_000)}"}`)]
  expect([short, long, `[${short}]`, request("later"), request("steps")].map(isLater)).toEqual([false, true, true, true, true])
})

test("a call may have 32,768 values in lists; more are refused before they are read", async () => {
  const errorOf = async (zeroes: number) => (await ask(request("echo", `{"text":[${Array(zeroes).fill(0)}]}`))).json?.error
  // The list itself is a value too.
  expect(await errorOf(32_767)).toMatchObject({ data: { code: "rpc.bad_param", param: "text", expected: "a text" } })
  const tooMany = { code: "rpc.bad_param", param: "text", expected: "fewer values, not nested so deeply" }
  expect(await errorOf(32_768)).toMatchObject({ data: tooMany })
})

test.each([
  ["that are refused", request("unknown")],
  ["that are answered", request("getHeight")],
  // Each answer takes one of the 16 MiB that a batch may have.
  ["whose answers do not fit", request("large")],
])("a batch of calls %s is read and answered with a pause after each call", async (_, call) => {
  const scheduler = new LoopScheduler()
  const resume = vi.spyOn(scheduler, "resume")
  let now = 0
  // Each look at the clock finds that the turn is over.
  const pace = () =>
    new RequestPace("client", { scheduler, now: () => now++ * 11, measure: () => () => {}, spend: () => {}, isGone: () => false })
  const admission = { admit: () => undefined, reserve: () => true, paceOf: pace }
  await ask(`[${Array(40).fill(call)}]`, endpoint(), admission)
  expect(resume).toHaveBeenCalledTimes(80)
})

test("a call that is abandoned has no answer, and the context is given back", async () => {
  let held = 0
  const at = endpoint({ open: () => ({ context: undefined, release: () => held-- }) })
  held++
  await expect(ask(request("abandoned"), at)).rejects.toThrow(Abandoned)
  expect(held).toBe(0)
})

test("64-bit numbers go in and out without rounding", async () => {
  expect((await ask(request("add", '{"A":"18446744073709551613"}'))).text).toContain('"result":{"sum":18446744073709551614}')
})

test("bytes that are JSON already are sent as they are", async () => {
  expect((await ask(request("raw"))).text).toBe('{"jsonrpc":"2.0","result":{"ready":true},"id":1}\n')
})

test("a notification is executed and gets nothing, not even its error", async () => {
  const got = await ask('{"jsonrpc":"2.0","method":"platform.refuse"}')
  expect(got).toMatchObject({ status: 200, text: "", isExecuted: true })
  expect((await ask('{"jsonrpc":"2.0","method":"platform.nope"}')).text).toBe("")
})

test("a refusal has our sentence, its code and its data", async () => {
  expect((await ask(request("refuse"))).json).toEqual({
    jsonrpc: "2.0",
    error: {
      code: -32000,
      message: "there is no such thing (name: x, amount: 5, bytes: 0x01)",
      data: { code: "test.no_such_thing", name: "x", amount: 5, bytes: "0x01" },
    },
    id: 1,
  })
})

test("in the dialect of AvalancheGo a refusal has AvalancheGo's text", async () => {
  expect((await ask(request("refuse"), avalanchego)).json).toEqual({
    jsonrpc: "2.0",
    error: { code: -32000, message: "thing x not found", data: null },
    id: 1,
  })
})

test("an internal error is hidden from the client and logged completely", async () => {
  const seen: unknown[] = []
  const got = await ask(request("fault"), endpoint({ onFault: (error, name) => seen.push(error, name) }))
  expect(got.json).toMatchObject({ error: { code: -32603, message: "internal error", data: null } })
  expect(got.text).not.toContain("secret")
  expect(seen).toEqual([new Error("secret"), "platform.fault"])
})

test("an undecodable parameter is named", async () => {
  expect((await ask(request("add", '{"a":"x"}'))).json).toMatchObject({
    error: { code: -32602, message: expect.stringContaining("param: a"), data: { code: "rpc.bad_param", param: "a" } },
  })
  expect((await ask(request("add", '{"a":"x"}'), avalanchego)).json).toMatchObject({
    error: {
      code: -32000,
      message:
        "couldn't unmarshal an argument. Ensure arguments are valid and properly formatted. See documentation for example calls",
      data: null,
    },
  })
  expect((await ask(request("add", '{"a":"x"}'))).isExecuted).toBe(false)
})

test.each([
  ["platform.getFoo", 'rpc: can\'t find method "platform.GetFoo"'],
  ["info.getNetworkID", 'rpc: can\'t find service "info.GetNetworkID"'],
  ["nope", 'rpc: service/method request ill-formed: "nope"'],
  ["platform.getHeight.x", 'rpc: service/method request ill-formed: "platform.GetHeight.x"'],
  ["platform.GetHeight", "method must start with a non-uppercase letter"],
  ["rpc.discover", 'rpc: can\'t find service "rpc.Discover"'],
  ["", 'rpc: service/method request ill-formed: ""'],
])("%j is no method, and AvalancheGo says so", async (name, message) => {
  const body = `{"jsonrpc":"2.0","method":${JSON.stringify(name)},"id":1}`
  expect((await ask(body, avalanchego)).json).toMatchObject({ error: { code: -32000, message, data: null } })
  if (name !== "rpc.discover") {
    const at = endpoint({ pathOf: (method) => (method === "info.getNetworkID" ? "/ext/info" : undefined) })
    const { json } = await ask(body, at)
    expect(json).toMatchObject({ error: { code: -32601, data: { code: "rpc.unknown_method" } } })
    if (name.startsWith("info")) expect(json).toMatchObject({ error: { data: { servedAt: "/ext/info" } } })
  }
})

test("a mistyped method is answered with the one that was meant", async () => {
  const { json } = await ask('{"jsonrpc":"2.0","method":"platform.getHieght","id":1}', endpoint())
  expect(json).toMatchObject({
    error: {
      code: -32601,
      message: "there is no such method at this path (method: platform.getHieght, didYouMean: platform.getHeight)",
    },
  })
})

test("a body that is no request is refused with the part that was read", async () => {
  expect((await ask('{"jsonrpc":"1.0","method":"platform.getHeight","params":{ },"id":1}', avalanchego)).text).toBe(
    '{"jsonrpc":"2.0","error":{"code":-32600,"message":"jsonrpc must be 2.0","data":{"jsonrpc":"1.0","method":"platform.getHeight","params":{},"id":1}},"id":1}\n',
  )
  expect((await ask("{}", avalanchego)).text).toBe("")
  expect((await ask('{"id":1}')).json).toMatchObject({ error: { code: -32600, data: { code: "rpc.bad_request" } }, id: 1 })
  expect((await ask("{")).json).toMatchObject({ error: { code: -32700, data: { code: "rpc.not_json" } }, id: null })
})

test("a batch is answered in its order, without the notifications", async () => {
  const batch = `[${request("later", "{}", "1")},{"jsonrpc":"2.0","method":"platform.getHeight"},5,${request("getHeight", "[]", '"a"')}]`
  expect((await ask(batch)).json).toMatchObject([
    { result: "later", id: 1 },
    { error: { code: -32600 }, id: null },
    { result: { height: "36" }, id: "a" },
  ])
  expect((await ask('[{"jsonrpc":"2.0","method":"platform.getHeight"}]')).text).toBe("")
})

test("a batch has 1 to 100 requests", async () => {
  const many = (count: number) => `[${new Array(count).fill(request("getHeight")).join(",")}]`
  // Reading ends with the request that is too many, so the message does not pretend to know the number.
  const sizes = [
    ["[]", 0],
    [many(101), "more than 100"],
    [many(5000), "more than 100"],
  ] as const
  for (const [batch, size] of sizes) {
    expect((await ask(batch)).json).toMatchObject({ error: { code: -32600, data: { code: "rpc.bad_batch", size } }, id: null })
  }
  expect((await ask(many(100))).json).toHaveLength(100)
})

test("AvalancheGo knows no batches", async () => {
  expect((await ask(`[${request("getHeight")}]`, avalanchego)).json).toMatchObject({
    error: { code: -32700, message: "json: cannot unmarshal array into Go value of type json2.serverRequest" },
    id: null,
  })
})

test("a public server reveals nothing about itself, whatever the parameters are", async () => {
  expect((await ask(request("own", "5"), endpoint({ isPublic: true }))).json).toMatchObject({
    error: { code: -32601, data: { code: "rpc.not_public", method: "platform.own" } },
    id: 1,
  })
  expect((await ask(request("own"), endpoint({ isPublic: true, dialect: "avalanchego" }))).json).toMatchObject({
    error: { code: -32000, message: 'rpc: can\'t find method "platform.Own"', data: null },
  })
  expect((await ask(request("own"))).json).toMatchObject({ result: "me" })
})

test("a closed service answers with status 404 and an error that parsers understand", async () => {
  const closed = endpoint({ isClosed: true, isPublic: true })
  expect(await ask(request("getHeight"), closed)).toMatchObject({ status: 404, json: { error: { code: -32601 }, id: 1 } })
  expect(await ask('{"jsonrpc":"2.0","method":"platform.getHeight"}', closed)).toMatchObject({
    status: 200,
    text: "",
    isExecuted: false,
  })
})

test("a client over its limit gets the time after which it may retry", async () => {
  const costs: number[] = []
  const admission: Admission = {
    admit(units) {
      costs.push(units)
      return costs.length > 1 ? 7 : undefined
    },
    reserve: () => true,
    paceOf,
  }
  const at = endpoint()
  expect((await ask(request("heavy"), at, admission)).json).toMatchObject({ result: "heavy" })
  expect(await ask(`[${request("heavy")},${request("getHeight")}]`, at, admission)).toMatchObject({
    status: 429,
    retryAfter: 7,
    json: { error: { code: -32005, data: { code: "rpc.too_many_requests" } } },
  })
  expect(costs).toEqual([10, 11])
})

test("a batch is admitted again between its calls; what the client cannot pay is refused", async () => {
  let left = 2
  const admission: Admission = {
    admit: (units) => (units > 0 || left-- > 0 ? undefined : 3),
    reserve: () => true,
    paceOf,
  }
  const { status, json } = await ask(
    `[${request("getHeight")},${request("heavy")},${request("getHeight")}]`,
    endpoint(),
    admission,
  )
  expect(status).toBe(200)
  expect(json).toMatchObject([
    { result: expect.anything() },
    { result: "heavy" },
    { error: { code: -32005, data: { code: "rpc.too_many_requests", retryAfter: 3 } }, id: 1 },
  ])
})

test("the answers to a batch have a bound, and so have those that a client leaves unread", async () => {
  const batch = `[${Array(20).fill(request("large")).join()}]`
  const { text } = await ask(batch, endpoint())
  const errors = (JSON.parse(text) as { error?: unknown }[]).filter(({ error }) => error)
  expect(errors).toHaveLength(5)
  expect(errors[0]).toMatchObject({ error: { code: -32000, data: { code: "rpc.answer_too_large", limit: 16 << 20 } } })
  expect(text.length).toBeLessThan((16 << 20) + 10_000)
  const held: number[] = []
  const admission: Admission = { admit: () => undefined, reserve: (bytes) => held.push(bytes) <= 2, paceOf }
  const answers = JSON.parse((await ask(batch, endpoint(), admission)).text) as { result?: unknown }[]
  expect(answers.map(({ result }) => result !== undefined)).toEqual([true, true, ...Array(18).fill(false)])
})

test("one answer that the client has no room for is an error", async () => {
  const held: number[] = []
  const admission: Admission = { admit: () => undefined, reserve: (bytes) => held.push(bytes) > 9, paceOf }
  const { json, status } = await ask(request("large"), endpoint(), admission)
  expect([status, held]).toEqual([200, [(1 << 20) + 2]])
  expect(json).toMatchObject({ error: { code: -32000, data: { code: "rpc.answer_too_large", size: (1 << 20) + 2 } }, id: 1 })
  expect((await ask(request("getHeight"), endpoint(), admission)).json).toMatchObject({ result: expect.anything() })
})

test("an unknown method of any length is refused with a short text", async () => {
  const name = `platform.${"<".repeat(1_000_000)}`
  for (const dialect of ["contract", "avalanchego"] as const) {
    const { text } = await ask(`{"jsonrpc":"2.0","method":"${name}","id":1}`, endpoint({ dialect }))
    expect(text.length).toBeLessThan(5000)
  }
})

test("a handler may be asynchronous, and wait in between", async () => {
  expect((await ask(request("steps"), endpoint())).json).toMatchObject({ result: [1, 2, 3] })
  expect((await ask(request("brokenSteps"), endpoint())).json).toMatchObject({ error: { code: -32603 } })
})

test("an error before any method is called is answered, too", async () => {
  const faults: unknown[] = []
  const methods = new Map()
  methods.get = () => {
    throw new Error("ours")
  }
  const at = endpoint({ methods, onFault: (error) => faults.push(error) })
  for (const body of [request("getHeight"), `[${request("getHeight")}]`]) {
    expect((await ask(body, at)).json).toEqual({
      jsonrpc: "2.0",
      error: { code: -32603, message: "internal error", data: null },
      id: null,
    })
  }
  expect(faults).toHaveLength(2)
})

test("a context is closed once, however the call ends", async () => {
  let held = 0
  let opened = 0
  const at = endpoint({
    open() {
      held++
      opened++
      return { context: undefined, release: () => held-- }
    },
  })
  for (const name of ["getHeight", "later", "refuse", "fault", "add"]) await ask(request(name), at)
  expect({ held, opened }).toEqual({ held: 0, opened: 5 })
})

test("each call is counted with its outcome", async () => {
  const seen: unknown[] = []
  const at = endpoint({ observe: ({ method, seconds, error }) => seen.push([method, seconds >= 0, error !== undefined]) })
  await ask(request("getHeight"), at)
  await ask(request("refuse"), at)
  await ask(request("nope"), at)
  expect(seen).toEqual([
    ["platform.getHeight", true, false],
    ["platform.refuse", true, true],
  ])
})

test("an object without a method is answered, and a batch that is too large says so", async () => {
  for (const body of ["{}", "null"]) {
    expect((await ask(body)).json).toMatchObject({ error: { code: -32600, data: { code: "rpc.bad_request" } }, id: null })
  }
  const batch = JSON.stringify(Array.from({ length: 2000 }, () => ({ jsonrpc: "2.0", id: 1, method: "platform.getHeight" })))
  expect((await ask(batch)).json).toMatchObject({ error: { message: "a batch holds 1 to 100 requests (size: more than 100)" } })
})

test("an id that is too long is refused and not sent back", async () => {
  for (const dialect of ["contract", "avalanchego"] as const) {
    const { text } = await ask(
      `{"jsonrpc":"2.0","method":"platform.getHeight","id":"${"<".repeat(100_000)}"}`,
      endpoint({ dialect }),
    )
    expect(text.length).toBeLessThan(1000)
    expect(JSON.parse(text)).toMatchObject({ error: { code: dialect === "contract" ? -32600 : -32700 }, id: null })
  }
})
