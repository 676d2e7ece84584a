import { constants } from "node:buffer"
import { Invalid } from "../../core/lib/invalid.js"
import { printJson } from "../../core/lib/json.js"
import { editDistance } from "../../core/lib/nearest.js"
import { type ChargedPace, neverPausing } from "../../core/lib/pace.js"
import { errorObject, INTERNAL_ERROR } from "../errorObject.js"
import { rpcError } from "../errors.js"
import { Abandoned } from "../limits/requestPace.js"
import type { AnyMethod } from "../method.js"
import { PrintedJson } from "../printedJson.js"
import type { Dialect } from "../schema/param.js"
import { callMethod } from "./callMethod.js"
import type { Caller, Endpoint } from "./endpoint.js"
import {
  type Envelope,
  echoed,
  type Request,
  type RequestedMethod,
  readEnvelope,
  readItem,
  readLongEnvelope,
  readMethodName,
  SHORT_BODY,
} from "./readRequest.js"
import { BatchReply, failed, type Outcome, type Reply, replyOf, tooLarge, tooMany } from "./reply.js"

/** The maximum length of a JavaScript string. */
const MAX_TEXT = constants.MAX_STRING_LENGTH

/** The maximum number of requests in a batch. */
const MAX_BATCH = 100

/** The maximum size of the answers to a batch, bytes. */
const MAX_BATCH_ANSWER = 16 << 20

/** Answers a body of a caller within the process. It never throws, because a fault in Serac is also an answer. */
export async function handle(body: Uint8Array, endpoint: Endpoint, caller: Caller = {}): Promise<Reply> {
  return answerBody(body, endpoint, caller)
}

/**
 * Answers a body: one request or a batch. A short request whose method needs no promise is answered at once. It throws `Abandoned` if the
 * caller has disconnected meanwhile, and nothing else, because a fault in Serac is also an answer.
 */
export function answerBody(body: Uint8Array, endpoint: Endpoint, caller: Caller): Reply | Promise<Reply> {
  const failed = (error: unknown) => faultReply(error, endpoint)
  try {
    if (body.length > MAX_TEXT) return tooLarge(MAX_TEXT, endpoint.dialect)
    const reply = body.length > SHORT_BODY ? answerLong(body, endpoint, caller) : answerShort(body, endpoint, caller)
    return reply instanceof Promise ? reply.catch(failed) : reply
  } catch (error) {
    return failed(error)
  }
}

function faultReply(error: unknown, { onFault, service }: Endpoint): Reply {
  if (error instanceof Abandoned) throw error
  onFault?.(error, service.name)
  return replyOf(undefined, failed(INTERNAL_ERROR, { answersAnyway: true }))
}

function answerShort(body: Uint8Array, endpoint: Endpoint, caller: Caller): Reply | Promise<Reply> {
  const envelope = readEnvelope(body)
  if (envelope.kind === "single") return answerOne(envelope.request, endpoint, caller)
  return paced(caller, (pace) => answerBatch(envelope, endpoint, caller, pace))
}

function answerLong(body: Uint8Array, endpoint: Endpoint, caller: Caller): Promise<Reply> {
  return paced(caller, async (pace) => {
    const envelope = await readLongEnvelope(body, pace)
    if (envelope.kind === "batch") return answerBatch(envelope, endpoint, caller, pace)
    const reply = answerOne(envelope.request, endpoint, caller)
    return reply instanceof Promise ? pace.wait(reply) : reply
  })
}

/** Runs asynchronous work at a pace that the caller pays for. */
async function paced<T>({ admission }: Caller, work: (pace: ChargedPace) => Promise<T>): Promise<T> {
  const pace = admission?.paceOf(false)
  if (!pace) return work(neverPausing)
  const result = work(pace)
  pace.begin()
  try {
    return await result
  } finally {
    pace.end()
  }
}

function answerOne(request: Request, endpoint: Endpoint, caller: Caller): Reply | Promise<Reply> {
  const method = findMethod(request, endpoint, caller)
  const seconds = caller.admission?.admit(costOf(method))
  if (seconds !== undefined) return replyOf(request.id, tooMany(seconds, endpoint.dialect))
  const replied = (outcome: Outcome): Reply => {
    const status = endpoint.isClosed && method !== undefined && request.id !== undefined ? 404 : 200
    return replyOf(request.id, heldOutcome(outcome, endpoint.dialect, caller), outcome.isUnavailable ? 503 : status)
  }
  const outcome = run(request, method, endpoint, caller)
  return outcome instanceof Promise ? outcome.then(replied) : replied(outcome)
}

/**
 * The maximum size of answers for which no memory is reserved before they are printed. If a client does not read them, its connection is
 * closed.
 */
const SMALL_ANSWER = 1 << 16

/** Returns an outcome whose memory is reserved until it has been sent, or the error that no memory is left. */
function heldOutcome(outcome: Outcome, dialect: Dialect, { admission }: Caller): Outcome {
  const { isExecuted } = outcome
  const { size } = outcome.json
  if (!admission || size <= SMALL_ANSWER || admission.reserve(size)) return outcome
  return failed(errorObject(rpcError("rpc.answer_too_large", { size }), dialect), { isExecuted })
}

type Batch = Extract<Envelope, { kind: "batch" }>

async function answerBatch({ text, items }: Batch, endpoint: Endpoint, caller: Caller, pace: ChargedPace): Promise<Reply> {
  const { dialect } = endpoint
  const { admission } = caller
  const size = items.length
  if (dialect === "avalanchego") {
    const reason = "json: cannot unmarshal array into Go value of type json2.serverRequest"
    return replyOf(undefined, refusal({ jsonrpc: "", method: "", params: undefined, id: undefined, fault: { reason } }, endpoint))
  }
  if (size < 1 || size > MAX_BATCH) {
    const error = rpcError("rpc.bad_batch", { size: size > MAX_BATCH ? `more than ${MAX_BATCH}` : size })
    endpoint.onRefusal?.(error)
    return replyOf(undefined, failed(errorObject(error, dialect), { answersAnyway: true }))
  }
  const calls: { readonly request: Request; readonly method: AnyMethod | Invalid | undefined }[] = []
  for (const item of items) {
    const request = await readItem(text, item, pace)
    calls.push({ request, method: findMethod(request, endpoint, caller) })
  }
  const cost = calls.reduce((sum, { method }) => sum + costOf(method), 0)
  const seconds = admission?.admit(cost)
  if (seconds !== undefined) return replyOf(undefined, tooMany(seconds, dialect))
  const reply = new BatchReply(MAX_BATCH_ANSWER, dialect, admission)
  // Requests run one after the other, because the order in a batch such as "advance time, then read" matters.
  for (const { request, method } of calls) {
    if (reply.isFull) reply.addTooLarge(request.id)
    else {
      const debt = admission?.admit(0)
      const outcome = debt === undefined ? run(request, method, endpoint, caller) : tooMany(debt, dialect)
      reply.add(request.id, outcome instanceof Promise ? await pace.wait(outcome) : outcome)
    }
    if (pace.isDue) await pace.pause()
  }
  return reply.finish()
}

function run(
  request: Request,
  method: AnyMethod | Invalid | undefined,
  endpoint: Endpoint,
  caller: Caller,
): Outcome | Promise<Outcome> {
  if (method === undefined) return refusal(request, endpoint)
  if (method instanceof Invalid) {
    endpoint.onRefusal?.(method)
    return failed(errorObject(method, endpoint.dialect))
  }
  return callMethod(request, method, endpoint, caller)
}

/** The outcome of a body that is not a request. JSON of the wrong shape is a parse error in AvalancheGo and a bad request in Serac. */
function refusal({ fault, jsonrpc, method, params, id }: Request, endpoint: Endpoint): Outcome {
  const { dialect } = endpoint
  const isReadable = fault === undefined || (dialect === "contract" && fault.offset === undefined)
  const expected = fault?.expected ?? 'an object with jsonrpc "2.0" and a method'
  const error = isReadable
    ? rpcError("rpc.bad_request", { expected })
    : rpcError("rpc.not_json", { reason: fault.reason, offset: fault.offset })
  endpoint.onRefusal?.(error)
  const object = errorObject(error, dialect)
  // A request without a method is not a notification, so it is answered although it has no ID.
  const answersAnyway = fault !== undefined || (dialect === "contract" && method === "")
  if (dialect === "contract") return failed(object, { answersAnyway })
  const echo = `{"jsonrpc":${printJson(jsonrpc)},"method":${printJson(method)},"params":${echoed(params ?? "null")},"id":${id ?? "null"}}`
  const json = `{"code":${object.code},"message":${printJson(object.message)},"data":${echo}}`
  return { member: "error", json: PrintedJson.of(json), isExecuted: false, answersAnyway }
}

/** Number of characters of a method's name that a refusal repeats. */
const MAX_SHOWN = 256

/** Returns the requested method, the refusal of a method that may not be called, or `undefined` if the body is not a request. */
function findMethod(request: Request, endpoint: Endpoint, caller: Caller): AnyMethod | Invalid | undefined {
  if (request.fault || request.jsonrpc !== "2.0") return undefined
  const method = endpoint.methods.get(request.method)
  if (endpoint.isClosed) return rpcError("rpc.not_public", { method: shown(request.method) })
  if (!method || (method.onlyIn !== undefined && method.onlyIn !== endpoint.dialect))
    return unknownMethod(request.method, endpoint)
  if (method.nodeSpecific && endpoint.isPublic) {
    return rpcError("rpc.not_public", { method: method.name, reference: unknownMethod(method.name, endpoint).avalanchegoMessage })
  }
  return refusalOfOrigin(method, endpoint, caller) ?? method
}

/** Pages of foreign origins may only call methods that read, unless the operator allowed the origin. */
function refusalOfOrigin(
  { name, foreignOrigins }: AnyMethod,
  { service }: Endpoint,
  { foreignOrigin: origin }: Caller,
): Invalid | undefined {
  if (origin === undefined || (foreignOrigins !== "refused" && service.foreignOrigins !== "refused")) return undefined
  return rpcError("rpc.foreign_origin", { method: name, origin: shown(origin), flag: "--http-allowed-origins" })
}

/** Returns the cost of a call in units of the rate limit. */
function costOf(method: AnyMethod | Invalid | undefined): number {
  return method === undefined || method instanceof Invalid ? 1 : (method.cost ?? 1)
}

function shown(name: string): string {
  return name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name
}

/**
 * Returns the refusal of a method that is not served at this path. It names the path where the method is served, or the method with the
 * most similar name.
 */
function unknownMethod(requested: string, endpoint: Endpoint): Invalid {
  const name = shown(requested)
  const servedAt = endpoint.pathOf?.(name)
  const didYouMean = servedAt === undefined ? similarMethod(name, endpoint) : undefined
  const reference = referenceFor(readMethodName(name), endpoint.service.name)
  return rpcError("rpc.unknown_method", { method: name, servedAt, didYouMean, reference })
}

/** The maximum number of letters in which a mistyped name differs from the intended one. */
const MAX_TYPOS = 2

/** The maximum length of a name that is compared with the names of methods, because comparing takes time. */
const MAX_COMPARED = 64

function similarMethod(name: string, { methods, isPublic }: Endpoint): string | undefined {
  if (isPublic || name.length > MAX_COMPARED) return undefined
  return [...methods.keys()].find((known) => editDistance(name, known) <= MAX_TYPOS)
}

function referenceFor(name: RequestedMethod, service: string): string {
  if (name.kind === "upper-case") return "method must start with a non-uppercase letter"
  if (name.kind === "ill-formed") return `rpc: service/method request ill-formed: ${name.quoted}`
  return `rpc: can't find ${name.service === service ? "method" : "service"} ${name.quoted}`
}
