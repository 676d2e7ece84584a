import { Invalid } from "../../core/lib/invalid.js"
import { NotYet, Unavailable } from "../../core/lib/notYet.js"
import { isWork, type MaybeWork, type Work, wait } from "../../core/lib/work.js"
import { errorObject, INTERNAL_ERROR } from "../errorObject.js"
import { rpcError } from "../errors.js"
import type { Admission } from "../limits/meter.js"
import type { AnyMethod } from "../method.js"
import { PrintedJson, printedInSteps, printedJson } from "../printedJson.js"
import type { ObjectValue, ParseContext } from "../schema/param.js"
import type { ContextLease } from "../service.js"
import type { Endpoint } from "./endpoint.js"
import { type Request, readParams } from "./readRequest.js"
import { failed, type Outcome } from "./reply.js"

/** The maximum number of attempts to execute a method until all rows that it reads are loaded. */
const MAX_ATTEMPTS = 10_000

// biome-ignore lint/suspicious/noExplicitAny: the parameters of any method
type Params = ObjectValue<any>

/** One call of a method. */
interface Call {
  readonly request: Request
  readonly method: AnyMethod
  readonly endpoint: Endpoint
  readonly admission: Admission | undefined
  readonly lease: ContextLease<unknown>
  /** True once the method was executed, whatever its outcome. */
  isExecuted: boolean
}

/**
 * Calls a method in a context of its own: an answer that still holds, or else parameters → handler → printed JSON. It never throws, because a
 * fault in Serac is also an outcome.
 */
export function* callMethod(
  request: Request,
  method: AnyMethod,
  endpoint: Endpoint,
  admission: Admission | undefined,
): Work<Outcome> {
  const started = performance.now()
  const ended = (outcome: Outcome, error?: unknown): Outcome => {
    const seconds = (performance.now() - started) / 1000
    endpoint.observe?.({ method: method.name, seconds, isNotification: request.id === undefined, error })
    return outcome
  }
  let call: Call | undefined
  try {
    call = { request, method, endpoint, admission, lease: endpoint.open(), isExecuted: false }
    const json = yield* untilLoaded(call)
    return ended({ member: "result", json, isExecuted: true, height: call.lease.height })
  } catch (error) {
    return ended(failure(error, method, endpoint, call), error)
  } finally {
    // This also runs if the client has disconnected.
    call?.lease.release()
  }
}

/** Answers a call, and begins again whenever rows were missing that have arrived. This is safe because reading changes nothing. */
function* untilLoaded(call: Call): Work<PrintedJson> {
  for (let left = MAX_ATTEMPTS; ; left--) {
    try {
      return yield* answerTo(call)
    } catch (error) {
      if (!(error instanceof NotYet)) throw error
      if (left === 0) throw new Unavailable(rpcError("rpc.busy"))
      yield* wait(error.ready)
      yield error.milliseconds()
    }
  }
}

/** Returns the stored answer if it still holds, otherwise makes it. */
function* answerTo(call: Call): Work<PrintedJson> {
  const { method, endpoint, lease, request } = call
  const { answers } = endpoint
  const { lifetime } = method
  const key = lifetime && answers?.keyOf(method, request.params)
  if (!lifetime || !answers || key === undefined) {
    const made = execute(call, yield* paramsOf(call))
    return (isWork(made) ? yield* made : made).json
  }
  const known = answers.find(key, lifetime, lease.context)
  if (known) return known
  const params = yield* paramsOf(call)
  const moment = lifetime.moment(params, lease.context)
  const stamp = lifetime.stamp?.(params, lease.context)
  const from = lifetime.clock?.now(lease.context)
  const name = `${key}\n${moment}\n${stamp}\n${from}`
  const other = answers.shared.join(name)
  if (other) return yield* wait(other)
  const stored = ({ json, result }: MadeAnswer, isShared: boolean): PrintedJson => {
    const until = lifetime.clock?.changesAt(result)
    if (lifetime.keeps?.(result) ?? true) answers.store(key, { json, params, moment, stamp, from, until }, isShared)
    return json
  }
  const made = execute(call, params)
  if (!isWork(made)) return stored(made, false)
  if (!call.admission) return stored(yield* made, false)
  // Calls that need the same answer meanwhile wait for this work, which belongs to none of them.
  return yield* wait(
    answers.shared.run(name, (isShared) => held(lease, made, (answer) => stored(answer, isShared())), call.admission),
  )
}

/** Does work with a hold of its own on the context, because the call that began it may end before it. */
function* held<A, B>(lease: ContextLease<unknown>, work: Work<A>, then: (result: A) => B): Work<B> {
  lease.hold?.()
  try {
    return then(yield* work)
  } finally {
    lease.release()
  }
}

const paramsOf = ({ request, method, endpoint }: Call): Work<Params> =>
  readParams(request.params, method.params, parseContext(method, endpoint))

/** A result and its JSON. */
interface MadeAnswer {
  readonly result: unknown
  readonly json: PrintedJson
}

/** Executes the method and prints its result: at once, or in steps if the handler works in steps or has to wait. */
function execute(call: Call, params: Params): MaybeWork<MadeAnswer> {
  call.isExecuted = true
  const { method, lease, endpoint } = call
  const result = method.handler(params, lease.context, endpoint)
  if (result instanceof Promise) return printedLater(wait(result), call)
  if (isWork(result)) return printedLater(result, call)
  return { result, json: result instanceof PrintedJson ? result : printedJson(method.result, result, endpoint.textFormat) }
}

function* printedLater(work: Work<unknown>, { method, endpoint }: Call): Work<MadeAnswer> {
  const result = yield* work
  if (result instanceof PrintedJson) return { result, json: result }
  yield
  return { result, json: yield* printedInSteps(method.result, result, endpoint.textFormat, endpoint.answerRoom) }
}

/** The context in which the parameters of a method are read: only a method that AvalancheGo has ignores those that it does not have. */
function parseContext({ isExtension }: AnyMethod, { service, textFormat }: Endpoint): ParseContext {
  return isExtension || service.isExtension ? { ...textFormat, unknownMembers: "refused" } : textFormat
}

function failure(error: unknown, { name }: AnyMethod, { dialect, onFault }: Endpoint, call: Call | undefined): Outcome {
  const more = { isExecuted: call?.isExecuted ?? false, height: call?.lease.height }
  if (error instanceof Invalid) return failed(errorObject(error, dialect), more)
  if (error instanceof Unavailable) return failed(errorObject(error.reason, dialect), { ...more, isUnavailable: true })
  onFault?.(error, name)
  return failed(INTERNAL_ERROR, more)
}
