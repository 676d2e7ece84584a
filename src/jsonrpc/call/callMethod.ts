import { printerOf, printInSteps } from "../../core/codec/print.js"
import { Invalid } from "../../core/lib/invalid.js"
import { NotYet, Unavailable } from "../../core/lib/notYet.js"
import { isWork, type MaybeWork, type Work, wait } from "../../core/lib/work.js"
import { errorObject, INTERNAL_ERROR } from "../errorObject.js"
import { rpcError } from "../errors.js"
import type { AnyMethod, Reuse } from "../method.js"
import { type JsonPieces, PrintedJson } from "../printedJson.js"
import type { AnyOutput, ObjectValue, ParseContext } from "../schema/param.js"
import type { ContextLease } from "../service.js"
import type { Endpoint } from "./endpoint.js"
import { readParams } from "./params.js"
import { failed, type Outcome } from "./reply.js"
import type { Request } from "./request.js"

/** The maximum number of attempts to execute a method until all rows that it reads are loaded. */
const MAX_ATTEMPTS = 10_000

/** The longest parameters whose result is reused, in characters. */
const MAX_KEY = 1024

/**
 * Calls a method in a context of its own: at once if that is short, otherwise in steps. It never throws, because a fault in Serac is also
 * an outcome.
 */
export function callMethod(request: Request, method: AnyMethod, endpoint: Endpoint): MaybeWork<Outcome> {
  return new MethodCall(request, method, endpoint).run()
}

// biome-ignore lint/suspicious/noExplicitAny: the parameters of any method
type Params = ObjectValue<any>

/** One call, from the context that is opened for it to the outcome that is reported. */
class MethodCall {
  readonly #request: Request
  readonly #method: AnyMethod
  readonly #endpoint: Endpoint
  readonly #started = performance.now()
  #lease: ContextLease<unknown> | undefined
  #isExecuted = false
  #params: Params | undefined
  /** The key of a result that may be reused. */
  #key: string | undefined

  constructor(request: Request, method: AnyMethod, endpoint: Endpoint) {
    this.#request = request
    this.#method = method
    this.#endpoint = endpoint
  }

  run(): MaybeWork<Outcome> {
    const { params } = this.#request
    try {
      this.#lease = this.#endpoint.open()
      const known = this.#method.reuse && this.#knownResult(this.#method.reuse)
      if (known !== undefined) return this.#ended({ member: "result", json: known, isExecuted: true })
      const read = readParams(params, this.#method.params, parseContext(this.#method, this.#endpoint))
      return isWork(read) ? this.#inSteps(this.#executeLater(read)) : this.#settle(this.#execute(read))
    } catch (error) {
      if (error instanceof NotYet) return this.#inSteps(this.#executeAgain(error))
      return this.#failed(error)
    }
  }

  /** Returns the JSON of the result of the same call in the same state. */
  #knownResult({ dependsOn }: Reuse<AnyOutput, unknown>): JsonPieces | undefined {
    const { params = "" } = this.#request
    const { results, context } = this.#lease as ContextLease<unknown>
    if (!results || params.length > MAX_KEY) return undefined
    const more = dependsOn ? `${dependsOn(context, params)} ` : ""
    this.#key = `${this.#endpoint.dialect} result ${this.#method.name} ${more}${params}`
    return results.printedResult(this.#key)
  }

  /** Stores the result if it may be reused. */
  #keep(result: unknown, json: JsonPieces): void {
    const { results } = this.#lease as ContextLease<unknown>
    const holds = result instanceof PrintedJson || (this.#method.reuse?.holds?.(result) ?? true)
    if (this.#key !== undefined && holds) results?.keepResult(this.#key, json)
  }

  #execute(params: Params): unknown {
    this.#isExecuted = true
    this.#params = params
    return this.#method.handler(params, this.#lease?.context, this.#endpoint)
  }

  #settle(result: unknown): MaybeWork<Outcome> {
    if (isWork(result)) return this.#inSteps(result)
    if (result instanceof Promise) return this.#inSteps(wait(result))
    const outcome = succeeded(result, this.#method, this.#endpoint)
    this.#keep(result, outcome.json)
    return this.#ended(outcome)
  }

  *#executeLater(read: Work<Params>): Work<unknown> {
    const params = yield* read
    yield
    return yield* resultOf(this.#execute(params))
  }

  /** Executes the method again in the same context when the missing rows have arrived. This is safe because reading changes nothing. */
  *#executeAgain(missing: NotYet): Work<unknown> {
    yield* wait(missing.ready)
    yield missing.milliseconds()
    return yield* resultOf(this.#execute(this.#params as Params))
  }

  /** Runs work and waits for the rows that it finds missing. */
  *#untilThere(work: Work<unknown>): Work<unknown> {
    for (let left = MAX_ATTEMPTS; ; left--) {
      try {
        return yield* work
      } catch (error) {
        if (!(error instanceof NotYet)) throw error
        if (left === 0) throw new Unavailable(rpcError("rpc.busy"))
        work = this.#executeAgain(error)
      }
    }
  }

  *#inSteps(work: Work<unknown>): Work<Outcome> {
    try {
      const result = yield* this.#untilThere(work)
      yield
      const outcome = yield* succeededInSteps(result, this.#method, this.#endpoint)
      this.#keep(result, outcome.json)
      return this.#ended(outcome)
    } catch (error) {
      return this.#failed(error)
    } finally {
      // This also runs if the client has disconnected.
      this.#release()
    }
  }

  #failed(error: unknown): Outcome {
    return this.#ended(failure(error, this.#method, this.#endpoint, this.#isExecuted), error)
  }

  #ended(outcome: Outcome, error?: unknown): Outcome {
    const height = this.#lease?.height
    this.#release()
    const seconds = (performance.now() - this.#started) / 1000
    this.#endpoint.observe?.({ method: this.#method.name, seconds, isNotification: this.#request.id === undefined, error })
    return height === undefined ? outcome : withHeight(outcome, height)
  }

  #release(): void {
    this.#lease?.release()
    this.#lease = undefined
  }
}

/** The context in which the parameters of a method are read: only a method that AvalancheGo has ignores those that it does not have. */
function parseContext({ isExtension }: AnyMethod, { service, textFormat }: Endpoint): ParseContext {
  return isExtension || service.isExtension ? { ...textFormat, unknownMembers: "refused" } : textFormat
}

/** Adds a height to an outcome. It is written out, because copying an object by spread takes longer than everything else here. */
function withHeight(outcome: Outcome, height: bigint): Outcome {
  const { member, json, isExecuted, answersAnyway, retryAfter, isUnavailable } = outcome
  return { member, json, isExecuted, answersAnyway, retryAfter, isUnavailable, height }
}

function* resultOf(result: unknown): Work<unknown> {
  if (isWork(result)) return yield* result
  return result instanceof Promise ? yield* wait(result) : result
}

function succeeded(result: unknown, method: AnyMethod, { textFormat }: Endpoint): Outcome {
  const json = result instanceof PrintedJson ? result.toSend() : printerOf(method.result)(result, textFormat)
  return { member: "result", json, isExecuted: true }
}

/** Does the same in steps. A handler returns work if its result may have thousands of parts. */
function* succeededInSteps(result: unknown, method: AnyMethod, { textFormat }: Endpoint): Work<Outcome> {
  if (result instanceof PrintedJson) return { member: "result", json: result.toSend(), isExecuted: true }
  const json = printInSteps(method.result, result, textFormat)
  return { member: "result", json: isWork(json) ? yield* json : json, isExecuted: true }
}

function failure(error: unknown, method: AnyMethod, { dialect, onFault }: Endpoint, isExecuted: boolean): Outcome {
  if (error instanceof Invalid) return failed(errorObject(error, dialect), { isExecuted })
  if (error instanceof Unavailable) return failed(errorObject(error.reason, dialect), { isExecuted, isUnavailable: true })
  onFault?.(error, method.name)
  return failed(INTERNAL_ERROR, { isExecuted })
}
