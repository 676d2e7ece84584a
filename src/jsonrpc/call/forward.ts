import { isWork, type MaybeWork, type Pause } from "../../core/lib/work.js"
import type { LoopScheduler } from "../limits/loopScheduler.js"
import { callMethod } from "./callMethod.js"
import type { Endpoint } from "./endpoint.js"
import type { ForwardedCall, ForwardedOutcome } from "./forwardedCall.js"
import type { Outcome } from "./reply.js"

/** The turns of the event loop in which a forwarded call is executed. */
export interface CallTurns {
  readonly scheduler: LoopScheduler
  /** Name of the call among all that share the scheduler, in place of a client. */
  readonly name: string
}

/**
 * Executes a forwarded call. `observe` receives its report instead of the endpoint's own observer, because the other process counts the
 * call.
 */
export async function executeForwarded(
  call: ForwardedCall,
  served: Endpoint,
  observe: NonNullable<Endpoint["observe"]>,
  turns: CallTurns,
): Promise<ForwardedOutcome> {
  const { method: name, params, serverUrl, foreignOrigin } = call
  const method = served.methods.get(name)
  if (!method) throw new Error(`${name} was forwarded, and is not served`)
  const endpoint: Endpoint = {
    ...served,
    observe,
    ...(serverUrl === undefined ? {} : { serverUrl }),
    ...(foreignOrigin === undefined ? {} : { foreignOrigin }),
  }
  const begin = () => callMethod({ jsonrpc: "2.0", method: name, params, id: undefined }, method, endpoint)
  return finishMeasured(begin, turns)
}

/** Finishes work in turns with other work, and counts the time of its steps and the milliseconds that it reports. */
async function finishMeasured(begin: () => MaybeWork<Outcome>, { scheduler, name }: CallTurns): Promise<ForwardedOutcome> {
  let milliseconds = 0
  const spend = (used: number) => {
    milliseconds += used
    scheduler.spend(used)
  }
  const inTurn = <T>(step: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      const run = () => {
        const started = performance.now()
        try {
          resolve(step())
        } catch (error) {
          reject(error)
        } finally {
          spend(performance.now() - started)
        }
      }
      if (scheduler.isFree) run()
      else scheduler.resume(name, run)
    })
  const advance = (go: () => IteratorResult<Pause, Outcome>): IteratorResult<Pause, Outcome> => {
    const step = go()
    if (!step.done && typeof step.value === "number") spend(step.value)
    return step
  }
  // The first step belongs to the beginning, which may have made a promise: it must be waited for before it can fail.
  const first = await inTurn(() => {
    const made = begin()
    return isWork(made) ? { work: made, step: advance(() => made.next()) } : { outcome: made }
  })
  if ("outcome" in first) return { outcome: first.outcome, milliseconds }
  const { work } = first
  let { step } = first
  while (!step.done) {
    const settled = step.value instanceof Promise ? await settledOf(step.value) : { value: undefined }
    step = await inTurn(() => advance(() => ("error" in settled ? work.throw(settled.error) : work.next(settled.value))))
  }
  return { outcome: step.value, milliseconds }
}

/** Returns the value or the error of a promise. */
function settledOf(promise: Promise<unknown>): Promise<{ readonly value: unknown } | { readonly error: unknown }> {
  return promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
}
