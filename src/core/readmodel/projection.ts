import type { Diff } from "../state/diff.js"
import type { AnyTable, Table } from "../state/table.js"
import type { View } from "../state/view.js"
import type { Address } from "../types/address.js"
import type { ID } from "../types/id.js"
import type { Chapter } from "./chapter.js"

/**
 * One kind of question's rows: kept up with every accepted block, or made anew as a whole from what the chain keeps. It
 * says what it depends on, and `readmodel/fold.ts` does both; where only one way can be said, it says the other too.
 */
export interface Projection {
  readonly name: string
  readonly tables: readonly AnyTable[]
  /** Tables of the state whose changes it follows. */
  readonly follows?: readonly Followed[]
  /** Adds what one block tells, in the order of heights. */
  tell?(telling: Telling, chapter: Chapter): void
  /** Looks at all changes of the state up to a height at once. */
  settle?(diff: Diff, height: bigint): void
  /** The rows of `settle` for a state that is already there, step by step. */
  resettle?(view: View): Iterable<Step>
}

/** A table of the state, and what a change of one of its rows means. */
// biome-ignore lint/suspicious/noExplicitAny: a list of unlike tables
export interface Followed<K = any, V = any> {
  readonly source: Table<K, V>
  change(diff: Diff, key: K, before: V | undefined, after: V | undefined): void
}

/** Says what changes of a table mean, with its types. */
export const follow = <K, V>(source: Table<K, V>, change: Followed<K, V>["change"]): Followed => ({ source, change })

/** What a block is told with: the diff that its rows go into, and the owners of what its transactions spend. */
export interface Telling {
  readonly diff: Diff
  ownersOf(spent: { readonly txID: ID; readonly outputIndex: number }): readonly Address[]
}

/** Writes some rows. Whoever runs steps may commit in between. */
export type Step = (diff: Diff) => void
