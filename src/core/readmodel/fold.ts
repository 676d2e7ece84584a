import type { Block } from "../blocks/block.js"
import { doNow, isWork, type Work } from "../lib/work.js"
import { chainTimeOf } from "../rules/context.js"
import { Diff } from "../state/diff.js"
import type { View } from "../state/view.js"
import type { Address } from "../types/address.js"
import { utxoID } from "../types/utxo.js"
import { type AcceptedBlock, acceptedBlocks, acceptedTogether, genesisBlock, type ReadModelGenesis } from "./acceptedBlock.js"
import { contextOf } from "./contextOf.js"
import { noteFollowed, projectExplorer, projectExplorerGenesis } from "./explorer/projectExplorer.js"
import { addHistory } from "./historyGap.js"
import { currentProjections, historyProjections, presentProjections, projections } from "./index.js"
import { addressesOf, ownersOfOutput } from "./owners.js"
import {
  type FollowedTable,
  isLongWork,
  type Projection,
  type ProjectionContext,
  type ProjectionStep,
  ROWS_PER_STEP,
} from "./projection.js"
import type { ReadModelStore } from "./readModelStore.js"
import { readTables } from "./tables.js"

/**
 * Adds the read model's rows to the changes of an accepted block (or of a proposal and its option) before they are committed. The diff is
 * on the state before them.
 */
export function project(changes: Diff, blocks: readonly Block[]): void {
  doNow(projectInSteps(changes, blocks))
}

/** Does the same in steps, because a transaction may name 47,000 owners. */
export function* projectInSteps(changes: Diff, blocks: readonly Block[]): Work<void> {
  const last = blocks.at(-1)
  if (!last) throw new Error("nothing was accepted")
  const accepted = acceptedTogether(blocks, chainTimeOf(changes))
  const context = contextOf(changes)
  yield* fold(context, accepted, last.height, presentProjections)
  const { height } = accepted[0] as AcceptedBlock
  yield* addHistory(changes, height, (diff) => projectHistory({ ...context, diff, changes }, accepted))
}

function* projectHistory(context: ProjectionContext, accepted: readonly AcceptedBlock[]): Work<void> {
  addBlocks(context, accepted, historyProjections)
  if (isLongWork(context.changes ?? context.diff)) yield
  yield* projectExplorer(context, accepted)
}

function addBlocks(context: ProjectionContext, accepted: readonly AcceptedBlock[], added: readonly Projection[]): void {
  for (const projection of added) for (const block of accepted) doNow(projection.onBlock?.(context, block))
}

/**
 * Does the same without the rows that grow with the chain, for a server that reads those from a database. The rows for explorers count as
 * complete, because the database has them.
 */
export function* projectCurrent(changes: Diff, blocks: readonly Block[]): Work<void> {
  const last = blocks.at(-1)
  if (!last) throw new Error("nothing was accepted")
  const accepted = acceptedTogether(blocks, chainTimeOf(changes))
  yield* fold(contextOf(changes), accepted, last.height, currentProjections)
  noteFollowed(changes, accepted)
}

/** Adds the read model's rows to the diff of genesis. */
export function projectGenesis(changes: Diff, genesis: ReadModelGenesis): void {
  doNow(fold(contextOf(changes), [genesisBlock(genesis)], 0n, projections))
  doNow(projectExplorerGenesis(changes, genesis))
}

function* fold(
  context: ProjectionContext,
  accepted: readonly AcceptedBlock[],
  height: bigint,
  folded: readonly Projection[],
): Work<void> {
  const { diff } = context
  const isLong = isLongWork(diff)
  for (const projection of folded) {
    for (const followed of projection.follows ?? []) {
      if (diff.editsOf(followed.source).size > 0) yield* followChanges(diff, followed)
    }
    for (const block of accepted) {
      const adding = projection.onBlock?.(context, block)
      if (isWork(adding)) yield* adding
    }
    projection.onState?.(diff, height)
    if (isLong) yield
  }
}

function* followChanges(diff: Diff, { source, change, onlyNewValues = false }: FollowedTable): Work<void> {
  let rows = 0
  for (const [text, { value, isNew }] of diff.editsOf(source)) {
    if (++rows % ROWS_PER_STEP === 0) yield
    if (onlyNewValues && value === undefined) continue
    const key = source.key.fromText(text)
    const before = isNew || onlyNewValues ? undefined : diff.parent.get(source, key)
    if (before === undefined && value === undefined) continue
    const changing = change(diff, key, before, value)
    if (isWork(changing)) yield* changing
  }
}

/** Number of rows in one commit. */
const ROWS_AT_ONCE = 50_000

/**
 * Rebuilds all rows of the read model from the chain. A killed rebuild is incomplete, so the version may be recorded only after this has
 * returned. `onCommit` is called with every commit.
 */
export function rebuildReadModel(store: ReadModelStore, genesis: ReadModelGenesis, onCommit: () => void = () => {}): void {
  let diff = new Diff(store.latest)
  const flush = () => {
    store.commit(diff.edits)
    diff = new Diff(store.latest)
    onCommit()
  }
  // The rows are not read, because those of another version may not decode. From here on no version regards them as its own.
  const clearTables = [...projections.flatMap(({ tables }) => tables), readTables.historyGap]
  store.commit(new Map(), { clearTables, meta: { readModel: undefined } })
  for (const steps of [followSteps(store.latest), historySteps(store.latest, genesis), rebuildSteps(store.latest)]) {
    for (const step of steps) {
      step(diff)
      if (diff.size >= ROWS_AT_ONCE) flush()
    }
    // The next projection reads the rows of this one from the store.
    flush()
  }
}

function* followSteps(view: View): Iterable<ProjectionStep> {
  for (const { follows = [] } of projections) {
    for (const { source, change } of follows) {
      for (const [key, row] of view.rows(source)) yield (diff) => doNow(change(diff, key, undefined, row))
    }
  }
}

function* historySteps(view: View, genesis: ReadModelGenesis): Iterable<ProjectionStep> {
  const genesisOwners = new Map<string, readonly Address[]>()
  for (const utxo of genesis.utxos) genesisOwners.set(utxoID(utxo.txID, utxo.outputIndex), addressesOf(utxo))
  for (const accepted of acceptedBlocks(view, genesis)) {
    yield (diff) => {
      const ownersOf: ProjectionContext["ownersOf"] = ({ txID, outputIndex }) =>
        genesisOwners.get(utxoID(txID, outputIndex)) ?? ownersOfOutput(diff, txID, outputIndex)
      addBlocks({ diff, ownersOf }, accepted, presentProjections)
      const { height } = accepted[0] as AcceptedBlock
      doNow(addHistory(diff, height, (rows) => addBlocks({ diff: rows, ownersOf }, accepted, historyProjections)))
    }
  }
}

function* rebuildSteps(view: View): Iterable<ProjectionStep> {
  for (const projection of projections) yield* projection.rebuild?.(view) ?? []
}
