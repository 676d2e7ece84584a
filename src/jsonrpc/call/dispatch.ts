import { constants } from "node:buffer"
import type { Spelling } from "../../core/codec/schema.js"
import { Invalid } from "../../core/lib/invalid.js"
import { type Json, printJson } from "../../core/lib/json.js"
import { errorObject, INTERNAL_ERROR } from "../errorObject.js"
import { rpcError } from "../errors.js"
import { type AnyMethod, Raw } from "../method.js"
import type { Dialect } from "../schema/param.js"
import type { AnyService, ContextLease } from "../service.js"
import { type Envelope, echoed, type MethodName, type Request, readEnvelope, readMethodName } from "./envelope.js"
import { readParams } from "./params.js"
import { batchReplyOf, failed, type Outcome, type Reply, replyOf, tooLarge, tooMany } from "./reply.js"

/** One service as it answers: its methods, its habits, and what it is connected to. Knows nothing of HTTP. */
export interface Endpoint {
  readonly service: Pick<AnyService, "name" | "needsChain" | "isPrivileged">
  /** By full name. */
  readonly methods: ReadonlyMap<string, AnyMethod>
  readonly dialect: Dialect
  /** How values are written as JSON. */
  readonly spelling: Spelling
  /** Refuses what speaks of this very node. */
  readonly isPublic?: boolean
  /** Refuses every method, with status 404: a service that is known but not to be had (api.md §4). */
  readonly isClosed?: boolean
  /** Opens what a handler is given; called once for each call. */
  open(): ContextLease<unknown>
  /** Where else a method is served, for a hint. */
  pathOf?(method: string): string | undefined
  /** Told of each call of a method: how long it took in seconds, whether it failed. */
  observe?(method: string, seconds: number, hasFailed: boolean): void
  /** Told of faults of ours. */
  onFault?(error: unknown, method: string): void
}

/** Who calls: a public server asks how much more they may. */
export interface Caller {
  /** Takes this much of what the caller may use, or says after how many seconds to ask again; for nothing, only where they are in debt. */
  admit(cost: number): number | undefined
  /** Takes what a call turned out to take besides: milliseconds in which nobody else was served. */
  charge(milliseconds: number): void
  /** Runs heavy work when there is room for it; throws `rpc.busy` where there is none. */
  heavy<T>(work: () => T | Promise<T>): Promise<T>
}

/** The longest text that JavaScript can hold. */
const MAX_TEXT = constants.MAX_STRING_LENGTH

/** The most requests of a batch. */
export const MAX_BATCH = 100

/** Methods of this cost and more are heavy. */
export const HEAVY_COST = 10

/** Seconds after which to ask again where the server had no room for heavy work. */
const BUSY_SECONDS = 1

/** Answers a body. A promise only where a handler makes one: most answers are ready at once. Never throws: a fault of ours is an answer, too. */
export function handle(body: Uint8Array, endpoint: Endpoint, caller?: Caller): Reply | Promise<Reply> {
  const fault = (error: unknown): Reply => {
    endpoint.onFault?.(error, endpoint.service.name)
    return replyOf(undefined, failed(INTERNAL_ERROR, { answersAnyway: true }))
  }
  try {
    const reply = answerTo(body, endpoint, caller)
    return reply instanceof Promise ? reply.catch(fault) : reply
  } catch (error) {
    return fault(error)
  }
}

function answerTo(body: Uint8Array, endpoint: Endpoint, caller: Caller | undefined): Reply | Promise<Reply> {
  if (body.length > MAX_TEXT) return tooLarge(MAX_TEXT, endpoint.dialect)
  const envelope = timed(caller, () => readEnvelope(body))
  if (envelope.kind === "batch") return handleBatch(envelope, endpoint, caller)
  const { request } = envelope
  const method = methodOf(request, endpoint)
  const wait = caller?.admit(costOf(method))
  if (wait !== undefined) return replyOf(request.id, tooMany(wait, endpoint.dialect))
  const outcome = run(request, method, endpoint, caller)
  const status = endpoint.isClosed && method !== undefined && request.id !== undefined ? 404 : 200
  return outcome instanceof Promise
    ? outcome.then((ready) => replyOf(request.id, ready, status))
    : replyOf(request.id, outcome, status)
}

/** Does some work and charges the caller for the time; what a promise waits for is not charged. */
function timed<T>(caller: Caller | undefined, work: () => T): T {
  if (!caller) return work()
  const started = performance.now()
  try {
    return work()
  } finally {
    caller.charge(performance.now() - started)
  }
}

async function handleBatch(
  { size, requests }: Extract<Envelope, { kind: "batch" }>,
  endpoint: Endpoint,
  caller: Caller | undefined,
): Promise<Reply> {
  const { dialect } = endpoint
  if (dialect === "avalanchego") {
    const reason = "json: cannot unmarshal array into Go value of type json2.serverRequest"
    return replyOf(undefined, refusal({ jsonrpc: "", method: "", params: undefined, id: undefined, fault: { reason } }, dialect))
  }
  if (size < 1 || size > MAX_BATCH) {
    return replyOf(undefined, failed(errorObject(rpcError("rpc.bad_batch", { size }), dialect), { answersAnyway: true }))
  }
  const all = requests().map((request) => ({ request, method: methodOf(request, endpoint) }))
  const wait = caller?.admit(all.reduce((sum, { method }) => sum + costOf(method), 0))
  if (wait !== undefined) return replyOf(undefined, tooMany(wait, dialect))
  const answered: { id: string | undefined; outcome: Outcome }[] = []
  // One after the other: who sends "advance time, then read" in one batch means that order.
  for (const { request, method } of all) {
    answered.push({ id: request.id, outcome: await run(request, method, endpoint, caller) })
  }
  return batchReplyOf(answered)
}

/** The method that is asked for, the refusal of one that is not to be had, or nothing where the request is none. */
function methodOf(request: Request, endpoint: Endpoint): AnyMethod | Invalid | undefined {
  if (request.fault || request.jsonrpc !== "2.0") return undefined
  const method = endpoint.methods.get(request.method)
  if (endpoint.isClosed) return rpcError("rpc.not_public", { method: request.method })
  if (!method || (method.onlyIn !== undefined && method.onlyIn !== endpoint.dialect)) return unknownMethod(request, endpoint)
  if (!(method.nodeSpecific && endpoint.isPublic)) return method
  return rpcError("rpc.not_public", { method: request.method, reference: unknownMethod(request, endpoint).reference })
}

function unknownMethod({ method }: Request, { service, pathOf }: Endpoint): Invalid {
  const path = pathOf?.(method)
  const reference = referenceFor(readMethodName(method), service.name)
  return rpcError("rpc.unknown_method", { method, ...(path === undefined ? {} : { path }), reference })
}

function referenceFor(name: MethodName, service: string): string {
  if (name.kind === "upper-case") return "method must start with a non-uppercase letter"
  if (name.kind === "ill-formed") return `rpc: service/method request ill-formed: ${name.quoted}`
  return `rpc: can't find ${name.service === service ? "method" : "service"} ${name.quoted}`
}

function costOf(method: AnyMethod | Invalid | undefined): number {
  return method === undefined || method instanceof Invalid ? 1 : (method.cost ?? 1)
}

function run(
  request: Request,
  method: AnyMethod | Invalid | undefined,
  endpoint: Endpoint,
  caller: Caller | undefined,
): Outcome | Promise<Outcome> {
  if (method === undefined) return refusal(request, endpoint.dialect)
  if (method instanceof Invalid) return failed(errorObject(method, endpoint.dialect))
  const work = () => timed(caller, () => call(request, method, endpoint))
  if (caller === undefined || costOf(method) < HEAVY_COST) return work()
  return caller.heavy(work).catch((error) => failure(error, method, endpoint, false))
}

/** What is said to a body that is no request. JSON of the wrong shape is a parse error to AvalancheGo and a bad request to us. */
function refusal({ fault, jsonrpc, method, params, id }: Request, dialect: Dialect): Outcome {
  const isReadable = fault === undefined || (dialect === "contract" && fault.offset === undefined)
  const expected = 'an object with jsonrpc "2.0" and a method'
  const error = isReadable ? rpcError("rpc.bad_request", { expected }) : rpcError("rpc.not_json", { ...fault })
  const object = errorObject(error, dialect)
  const answersAnyway = fault !== undefined
  if (dialect === "contract") return failed(object, { answersAnyway })
  const echo = `{"jsonrpc":${printJson(jsonrpc)},"method":${printJson(method)},"params":${echoed(params ?? "null")},"id":${id ?? "null"}}`
  const json = `{"code":${object.code},"message":${printJson(object.message)},"data":${echo}}`
  return { member: "error", json, isExecuted: false, answersAnyway }
}

/** Calls a method in a context of its own. */
function call(request: Request, method: AnyMethod, endpoint: Endpoint): Outcome | Promise<Outcome> {
  const started = performance.now()
  let opened: ContextLease<unknown> | undefined
  let isExecuted = false
  const ended = (outcome: Outcome): Outcome => {
    opened?.release()
    endpoint.observe?.(method.name, (performance.now() - started) / 1000, outcome.member === "error")
    return outcome
  }
  const rejected = (error: unknown): Outcome => ended(failure(error, method, endpoint, isExecuted))
  try {
    opened = endpoint.open()
    const params = readParams(request.params, method.params, { ...endpoint.spelling, dialect: endpoint.dialect })
    isExecuted = true
    const result: unknown = method.handler(params, opened.context)
    if (result instanceof Promise) return result.then(succeeded).then(ended, rejected)
    return ended(succeeded(result))
  } catch (error) {
    return rejected(error)
  }
}

function succeeded(result: unknown): Outcome {
  return { member: "result", json: result instanceof Raw ? result.pieces : printJson(result as Json), isExecuted: true }
}

function failure(error: unknown, method: AnyMethod, { dialect, onFault }: Endpoint, isExecuted: boolean): Outcome {
  if (error instanceof Invalid) {
    const isBusy = error.code === "rpc.busy"
    return failed(errorObject(error, dialect), { isExecuted, ...(isBusy ? { retryAfter: BUSY_SECONDS } : {}) })
  }
  onFault?.(error, method.name)
  return failed(INTERNAL_ERROR, { isExecuted })
}
