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
