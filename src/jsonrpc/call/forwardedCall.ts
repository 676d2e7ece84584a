import type { Outcome } from "./reply.js"

/** A call that another process of the same node executes. It has only values that can be sent in a message. */
export interface ForwardedCall {
  readonly service: string
  readonly method: string
  /** JSON text. */
  readonly params: string | undefined
  readonly serverUrl: string | undefined
  readonly foreignOrigin: string | undefined
}

/** The outcome of a forwarded call, and the milliseconds of the other event loop that it used. */
export interface ForwardedOutcome {
  readonly outcome: Outcome
  readonly milliseconds: number
}
