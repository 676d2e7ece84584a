import { isWork, type MaybeWork } from "../../core/lib/work.js"
import { callMethod } from "./callMethod.js"
import type { Endpoint } from "./endpoint.js"
import type { ForwardedCall, ForwardedOutcome } from "./forwardedCall.js"
import type { Outcome } from "./reply.js"

/**
 * Executes a forwarded call. `observe` receives its report instead of the endpoint's own observer, because the other process counts the
 * call.
 */
export async function executeForwarded(
  call: ForwardedCall,
  served: Endpoint,
  observe: NonNullable<Endpoint["observe"]>,
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
  return finishMeasured(() => callMethod({ jsonrpc: "2.0", method: name, params, id: undefined }, method, endpoint))
}

/** Finishes work, and counts the time of its steps and the milliseconds that it reports. Other work can run between two steps. */
async function finishMeasured(begin: () => MaybeWork<Outcome>): Promise<ForwardedOutcome> {
  let milliseconds = 0
  const timed = <T>(step: () => T): T => {
    const started = performance.now()
    try {
      return step()
    } finally {
      milliseconds += performance.now() - started
    }
  }
  const work = timed(begin)
  if (!isWork(work)) return { outcome: work, milliseconds }
  let step = timed(() => work.next())
  while (!step.done) {
    const pause = step.value
    if (typeof pause === "number") milliseconds += pause
    const settled = await (pause instanceof Promise ? pause : nextTurn()).then(
      (value: unknown) => ({ value }),
      (error: unknown) => ({ error }),
    )
    step = timed(() => ("error" in settled ? work.throw(settled.error) : work.next(settled.value)))
  }
  return { outcome: step.value, milliseconds }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
