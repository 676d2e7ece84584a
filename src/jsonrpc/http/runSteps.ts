import type { Exchange, HttpStep } from "./exchange.js"
import type { HttpResponse } from "./send.js"
import { tooManyRequests } from "./steps.js"

/** Returns the response of the first step that has one. A client in debt gets only the response about its debt. */
export function runSteps(steps: readonly HttpStep[], exchange: Exchange): HttpResponse | undefined {
  for (const step of steps) {
    const answer = step.run(exchange)
    if (!answer) continue
    const seconds = answer.status === 429 ? undefined : exchange.meter.debtSeconds
    return seconds === undefined ? answer : { ...tooManyRequests(seconds), closes: true }
  }
  return undefined
}
