import type { PackedRows } from "../store/packedRows.js"
import type { RootOptions } from "../store/rootOptions.js"

/** A commit for the thread that writes, or the request to close LMDB and end. */
export type CommitQuestion = { readonly root: RootOptions; readonly rows: readonly PackedRows[] } | "end"

/** The result of a commit. A failed one has LMDB's message and code. */
export interface CommitAnswer {
  readonly failure?: { readonly message: string; readonly code: unknown }
}
