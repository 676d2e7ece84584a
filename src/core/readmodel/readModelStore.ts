import type { AnyTable } from "../state/table.js"
import type { Edits, View } from "../state/view.js"

/** The store of the read model: its present rows, and the commit of new ones. */
export interface ReadModelStore {
  readonly latest: View
  /** Commits rows. `clearTables` are cleared first without being read; `meta` removes the recorded version of the rows. */
  commit(
    edits: Edits,
    options?: { readonly clearTables?: readonly AnyTable[]; readonly meta?: { readonly readModel: undefined } },
  ): void
}
