import { Diff } from "../state/diff.js"
import type { OwnerKey } from "../state/ownerKey.js"
import type { AnyTable, Table } from "../state/table.js"
import type { Edits, View } from "../state/view.js"
import type { Address } from "../types/address.js"
import type { ID } from "../types/id.js"
import type { AcceptedBlock } from "./acceptedBlock.js"
import { ownersOfSpent } from "./owners.js"

/** Rows that are added with every accepted block. */
export interface BlockProjection {
  /** Tables of the state whose changes it processes. */
  readonly follows?: readonly FollowedTable[]
  /** Adds the rows of one accepted block, in the order of heights. */
  onBlock?(context: ProjectionContext, block: AcceptedBlock): void
  /** Adds the rows for all changes of the state up to a height at once. The diff for the rows is on the changes. */
  onState?(diff: Diff, height: bigint, changes: Diff): void
}

/**
 * The rows that answer one kind of query. `readmodel/fold.ts` updates them with every accepted block, and can rebuild all of them from the
 * chain. A projection declares its functions for one way or for both.
 */
export interface Projection extends BlockProjection {
  readonly tables: readonly AnyTable[]
  /** Makes the rows of `onState` for an existing state, step by step. */
  rebuild?(view: View): Iterable<ProjectionStep>
}

/** A table of the state, with a function that processes a change of one of its rows. */
// biome-ignore lint/suspicious/noExplicitAny: a list of unlike tables
export interface FollowedTable<K = any, V = any> {
  readonly source: Table<K, V>
  change(diff: Diff, key: K, before: V | undefined, after: V | undefined): void
  /** True if only the new values of rows matter. Deleted rows are then passed over, and old values are not read. */
  readonly onlyNewValues?: boolean
}

/** Declares the processing of a table's changes, with its types. */
export const follow = <K, V>(source: Table<K, V>, change: FollowedTable<K, V>["change"]): FollowedTable => ({ source, change })

export const followNewValues = <K, V>(source: Table<K, V>, change: (diff: Diff, value: V, key: K) => void): FollowedTable => ({
  source,
  change: (diff, key, _before, after) => change(diff, after, key),
  onlyNewValues: true,
})

/** The context of a projection for one block: the diff for its rows, and the owners of the outputs that its transactions spend. */
export interface ProjectionContext {
  readonly diff: Diff
  /** The changes of the state by the block; omitted if the rows are added later. */
  readonly changes?: Diff | undefined
  ownersOf(spent: { readonly txID: ID; readonly outputIndex: number }): readonly Address[]
  /** Owners of transactions that were computed already, by transaction; several projections need them. */
  readonly txOwners?: Map<ID, ReadonlySet<OwnerKey>>
}

/** Makes the context of projections. The diff for the rows is on the changes of the block, if they are given. */
export function contextOf(diff: Diff, changes?: Diff): ProjectionContext {
  // Several projections ask for the owners of each spent output, and name it by the same input.
  const known = new Map<object, readonly Address[]>()
  const before = (changes ?? diff).parent
  return {
    ...{ diff, changes, txOwners: new Map() },
    ownersOf(spent) {
      const found = known.get(spent) ?? ownersOfSpent(before, diff, spent)
      known.set(spent, found)
      return found
    },
  }
}

/** Returns a diff in which projections repeat their work on the present state: the rows that they insert are there already. */
export function repeatingDiff(view: View): Diff {
  const diff = new Diff(view)
  diff.insert = diff.put
  return diff
}

/** Writes some rows. Commits are possible between two steps. */
export type ProjectionStep = (diff: Diff) => void

/** Writes the rows of steps, and commits them whenever there are so many, until the rows are the last ones. Yields after each commit. */
export function* commitSteps(
  store: ReadModelStore,
  steps: Iterable<ProjectionStep>,
  rowsAtOnce: number,
  areLast: (rows: Diff) => boolean = () => false,
): Iterable<void> {
  let diff = new Diff(store.latest)
  for (const step of steps) {
    step(diff)
    if (areLast(diff)) break
    if (diff.size < rowsAtOnce) continue
    store.commit(diff.edits)
    diff = new Diff(store.latest)
    yield
  }
  if (diff.size === 0) return
  store.commit(diff.edits)
  yield
}

/** Adds the rows of blocks that were accepted together. Those that follow from changes of the state need these in the context. */
export function addBlocks(
  context: ProjectionContext,
  accepted: readonly AcceptedBlock[],
  added: readonly BlockProjection[],
): void {
  const { diff, changes } = context
  const last = accepted.at(-1)
  if (!last) throw new Error("nothing was accepted")
  for (const { follows = [], onBlock, onState } of added) {
    for (const followed of follows) if (changes) followChanges(diff, changes, followed)
    for (const block of accepted) onBlock?.(context, block)
    if (changes) onState?.(diff, last.height, changes)
  }
}

function followChanges(diff: Diff, changes: Diff, { source, change, onlyNewValues = false }: FollowedTable): void {
  for (const [text, { value, isNew }] of changes.editsOf(source)) {
    if (onlyNewValues && value === undefined) continue
    const key = source.key.fromText(text)
    const before = isNew || onlyNewValues ? undefined : changes.parent.get(source, key)
    if (before === undefined && value === undefined) continue
    change(diff, key, before, value)
  }
}

/** The store of the read model: its present rows, and the commit of new ones. */
export interface ReadModelStore {
  readonly latest: View
  /** Commits rows. `clearTables` are cleared first without being read; `meta` removes the recorded version of the rows. */
  commit(
    edits: Edits,
    options?: { readonly clearTables?: readonly AnyTable[]; readonly meta?: { readonly readModel: undefined } },
  ): void
}
