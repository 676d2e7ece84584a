import type { Invalid } from "../lib/invalid.js"
import type { PrimaryEdits, View } from "../state/view.js"

/** State of the accepted blocks: it can be read, and changes are committed to it atomically. */
export interface StatePort {
  readonly latest: View
  /** Commits changes. Where blocks come from other nodes, it throws `WriteFailure` if they cannot be written. */
  commit(edits: PrimaryEdits): void
}

/**
 * The error of changes that could not be written, because of the disk. No input is to blame for it, so it is not `Invalid`: code that handles
 * a refused block or message lets it pass.
 */
export class WriteFailure extends Error {
  readonly reason: Invalid

  constructor(reason: Invalid) {
    super(reason.message, { cause: reason })
    this.reason = reason
  }
}

/**
 * The error of a decided block that could not be accepted because of a fault in Serac. The peer whose message ended the poll is not to blame
 * for it, whatever the cause is.
 */
export class AcceptFault extends Error {
  constructor(cause: unknown) {
    super(`a decided block could not be accepted: ${cause}`, { cause })
  }
}
