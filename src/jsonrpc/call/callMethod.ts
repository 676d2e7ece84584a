import { printerOf } from "../../core/codec/print.js"
import { Invalid } from "../../core/lib/invalid.js"
import { isWork, type Work, wait } from "../../core/lib/work.js"
import { errorObject, INTERNAL_ERROR } from "../errorObject.js"
import type { AnyMethod } from "../method.js"
import { PrintedJson } from "../printedJson.js"
import type { ContextLease } from "../service.js"
import type { CallReport, Endpoint } from "./endpoint.js"
import type { Request } from "./envelope.js"
import { readParams } from "./params.js"
import { failed, type Outcome } from "./reply.js"

/** Calls a method in a context of its own. Never throws: a fault of ours is an outcome, too. */
export function* callMethod(request: Request, method: AnyMethod, endpoint: Endpoint): Work<Outcome> {
  const started = performance.now()
  let lease: ContextLease<unknown> | undefined
  let isExecuted = false
  let outcome: Outcome
  let report: Pick<CallReport, "error"> = {}
  try {
    lease = endpoint.open()
    const params = yield* readParams(request.params, method.params, { ...endpoint.spelling, dialect: endpoint.dialect })
    yield
    isExecuted = true
    const result = yield* resultOf(method.handler(params, lease.context))
    yield
    outcome = succeeded(result, method, endpoint)
  } catch (error) {
    report = { error }
    outcome = failure(error, method, endpoint, isExecuted)
  } finally {
    lease?.release()
  }
  endpoint.observe?.({ method: method.name, seconds: (performance.now() - started) / 1000, ...report })
  return outcome
}

function* resultOf(made: unknown): Work<unknown> {
  if (isWork(made)) return yield* made
  return made instanceof Promise ? yield* wait(made) : made
}

function succeeded(result: unknown, method: AnyMethod, { spelling }: Endpoint): Outcome {
  const json = result instanceof PrintedJson ? result.pieces : printerOf(method.result)(result, spelling)
  return { member: "result", json, isExecuted: true }
}

function failure(error: unknown, method: AnyMethod, { dialect, onFault }: Endpoint, isExecuted: boolean): Outcome {
  if (error instanceof Invalid) return failed(errorObject(error, dialect), { isExecuted })
  onFault?.(error, method.name)
  return failed(INTERNAL_ERROR, { isExecuted })
}
