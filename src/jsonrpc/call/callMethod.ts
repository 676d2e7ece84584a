import { Invalid } from "../../core/lib/invalid.js"
import { neverPausing } from "../../core/lib/pace.js"
import { Unavailable } from "../../core/lib/unavailable.js"
import { errorObject, INTERNAL_ERROR } from "../errorObject.js"
import { Abandoned, type RequestPace } from "../limits/requestPace.js"
import type { AnyMethod } from "../method.js"
import { PrintedJson, printedJson, printedWithPauses } from "../printedJson.js"
import type { ObjectValue, ParseContext } from "../schema/param.js"
import type { ContextLease } from "../service.js"
import type { Caller, Endpoint } from "./endpoint.js"
import { type Request, readParams } from "./readRequest.js"
import { failed, type Outcome } from "./reply.js"

// biome-ignore lint/suspicious/noExplicitAny: the parameters of any method
type Params = ObjectValue<any>

/** One call of a method. */
interface Call {
  readonly request: Request
  readonly method: AnyMethod
  readonly endpoint: Endpoint
  readonly caller: Caller
  /** Milliseconds of a monotonic clock. */
  readonly started: number
  readonly lease: ContextLease<unknown>
  /** True once the method was executed, whatever its outcome. */
  isExecuted: boolean
}

/**
 * Calls a method in a context of its own: an answer that still holds, or else parameters → handler → printed JSON. A fault in Serac is also
 * an outcome. It throws `Abandoned` only.
 */
export function callMethod(request: Request, method: AnyMethod, endpoint: Endpoint, caller: Caller): Outcome | Promise<Outcome> {
  const started = performance.now()
  let lease: ContextLease<unknown>
  try {
    lease = endpoint.open()
  } catch (error) {
    return failure(error, { request, method, endpoint, started })
  }
  const call: Call = { request, method, endpoint, caller, started, lease, isExecuted: false }
  const failed = (error: unknown): Outcome => {
    try {
      return failure(error, call)
    } finally {
      lease.release()
    }
  }
  try {
    const json = answerTo(call)
    return json instanceof Promise ? json.then((made) => success(made, call), failed) : success(json, call)
  } catch (error) {
    return failed(error)
  }
}

function success(json: PrintedJson, call: Call): Outcome {
  const { height } = call.lease
  call.lease.release()
  observe(call)
  return { member: "result", json, isExecuted: true, height }
}

/** Reports the end of a call. */
function observe(
  { method, endpoint, request, started }: Pick<Call, "method" | "endpoint" | "request" | "started">,
  error?: unknown,
): void {
  const seconds = (performance.now() - started) / 1000
  endpoint.observe?.({ method: method.name, seconds, isNotification: request.id === undefined, error })
}

/** Returns the stored answer if it still holds, otherwise makes it. */
function answerTo(call: Call): PrintedJson | Promise<PrintedJson> {
  const { method, endpoint, lease, request } = call
  const { answers } = endpoint
  const { lifetime } = method
  const key = lifetime && answers?.keyOf(method, request.params)
  if (!lifetime || !answers || key === undefined) {
    const { made } = execute(call, paramsOf(call), false)
    return made instanceof Promise ? made.then(({ json }) => json) : made.json
  }
  const known = answers.find(key, lifetime, lease.context)
  if (known) return known
  const params = paramsOf(call)
  const moment = lifetime.moment(params, lease.context)
  const stamp = lifetime.stamp?.(params, lease.context)
  const from = lifetime.clock?.now(lease.context)
  const name = `${key}\n${moment}\n${stamp}\n${from}`
  const other = answers.shared.join(name)
  if (other) return other
  const stored = ({ json, result }: MadeAnswer, isShared: boolean): PrintedJson => {
    const until = lifetime.clock?.changesAt(result)
    if (lifetime.keeps?.(result) ?? true) answers.store(key, { json, params, moment, stamp, from, until }, isShared)
    return json
  }
  const { made, pace } = execute(call, params, true)
  if (!(made instanceof Promise)) return stored(made, false)
  // Calls that need the same answer meanwhile wait for this work, which belongs to none of them.
  return answers.shared.run(name, pace, (isShared) => held(lease, made, (answer) => stored(answer, isShared())))
}

/** Waits for work with a hold of its own on the context, because the call that began it may end before it. */
async function held<A, B>(lease: ContextLease<unknown>, work: Promise<A>, then: (result: A) => B): Promise<B> {
  lease.hold?.()
  try {
    return then(await work)
  } finally {
    lease.release()
  }
}

const paramsOf = ({ request, method, endpoint }: Call): Params =>
  readParams(request, method.params, parseContext(method, endpoint))

/** A result and its JSON. */
interface MadeAnswer {
  readonly result: unknown
  readonly json: PrintedJson
}

/** The execution of a method: its answer, and the pace of the work that makes it if the handler has asked for one. */
interface Execution {
  readonly made: MadeAnswer | Promise<MadeAnswer>
  readonly pace: RequestPace | undefined
}

/** Executes the method and prints its result: at once, or with pauses if the handler is asynchronous. */
function execute(call: Call, params: Params, isShared: boolean): Execution {
  call.isExecuted = true
  const { method, lease, endpoint, caller } = call
  const { admission, serverUrl } = caller
  let pace: RequestPace | undefined
  const result = method.handler(params, lease.context, {
    ...(serverUrl === undefined ? {} : { serverUrl }),
    get pace() {
      pace ??= admission?.paceOf(isShared)
      return pace ?? neverPausing
    },
  })
  if (result instanceof Promise) {
    pace?.begin()
    return { made: printedLater(result, pace ?? admission?.paceOf(true), call), pace }
  }
  const json = result instanceof PrintedJson ? result : printedJson(method.result, result, endpoint.textFormat)
  return { made: { result, json }, pace }
}

/** Waits for the result of an asynchronous handler, and prints it. */
async function printedLater(
  promise: Promise<unknown>,
  pace: RequestPace | undefined,
  { method, endpoint }: Call,
): Promise<MadeAnswer> {
  try {
    const result = await promise
    if (result instanceof PrintedJson) return { result, json: result }
    pace?.begin()
    const { textFormat, answerRoom } = endpoint
    return { result, json: await printedWithPauses(method.result, result, textFormat, answerRoom, pace ?? neverPausing) }
  } finally {
    pace?.end()
  }
}

/** The context in which the parameters of a method are read: only a method that AvalancheGo has ignores those that it does not have. */
function parseContext({ isExtension }: AnyMethod, { service, textFormat }: Endpoint): ParseContext {
  return isExtension || service.isExtension ? { ...textFormat, unknownMembers: "refused" } : textFormat
}

/** The outcome of a call that failed. Nobody waits for that of a call that was abandoned. */
function failure(error: unknown, call: Pick<Call, "method" | "endpoint" | "request" | "started"> & Partial<Call>): Outcome {
  if (error instanceof Abandoned) throw error
  observe(call, error)
  const { dialect, onFault } = call.endpoint
  const more = { isExecuted: call.isExecuted ?? false, height: call.lease?.height }
  if (error instanceof Invalid) return failed(errorObject(error, dialect), more)
  if (error instanceof Unavailable) return failed(errorObject(error.reason, dialect), { ...more, isUnavailable: true })
  onFault?.(error, call.method.name)
  return failed(INTERNAL_ERROR, more)
}
