import type { Invalid } from "./invalid.js"

/** Thrown by a read whose rows are being fetched from another machine. The work is done again when `ready` has settled. */
export class NotYet extends Error {
  readonly ready: Promise<unknown>
  /** Returns, when `ready` has resolved, the milliseconds of the event loop that it took to fetch the rows. */
  readonly milliseconds: () => number

  /** `ready` rejects with `Unavailable` if the rows cannot be read at present. */
  constructor(ready: Promise<unknown>, milliseconds = () => 0) {
    super("the rows have not arrived yet")
    this.ready = ready
    this.milliseconds = milliseconds
  }
}

/** Thrown if an answer is not available at present, and neither the request nor this program is at fault. */
export class Unavailable extends Error {
  readonly reason: Invalid

  constructor(reason: Invalid) {
    super(reason.message)
    this.reason = reason
  }
}
