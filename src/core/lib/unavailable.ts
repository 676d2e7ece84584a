import type { Invalid } from "./invalid.js"

/** Thrown if an answer is not available at present, and neither the request nor this program is at fault. */
export class Unavailable extends Error {
  readonly reason: Invalid

  constructor(reason: Invalid) {
    super(reason.message)
    this.reason = reason
  }
}
