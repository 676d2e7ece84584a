import type { Block } from "../blocks/block.js"
import { chainTimeOf } from "../rules/context.js"
import type { Diff } from "../state/diff.js"
import type { View } from "../state/view.js"
import { type AcceptedBlock, acceptedBlocks, acceptedTogether, genesisBlock, type ReadModelGenesis } from "./acceptedBlock.js"
import { noteFollowed, projectExplorer, projectExplorerGenesis } from "./explorer/projectExplorer.js"
import { addHistory, addRows, tryRows } from "./historyGap.js"
import { currentProjections, historyProjections, presentProjections, projections } from "./index.js"
import {
  addBlocks,
  commitSteps,
  contextOf,
  type Projection,
  type ProjectionContext,
  type ProjectionStep,
  type ReadModelStore,
} from "./projection.js"
import { readTables } from "./tables.js"

/**
 * Adds the read model's rows to the changes of an accepted block (or of a proposal and its option) before they are committed. The diff is
 * on the state before them.
 */
export function project(changes: Diff, blocks: readonly Block[]): void {
  const accepted = acceptedTogether(changes, blocks, chainTimeOf(changes))
  const context = contextOf(changes, changes)
  addPresent(context, accepted, presentProjections)
  const { height } = accepted[0] as AcceptedBlock
  addHistory(changes, height, (diff) => {
    const withRows = { ...context, diff }
    addBlocks(withRows, accepted, historyProjections)
    projectExplorer(withRows, accepted)
  })
}

/**
 * Does the same without the rows that grow with the chain, for a server that reads those from a database. The rows for explorers count as
 * complete, because the database has them.
 */
export function projectCurrent(changes: Diff, blocks: readonly Block[]): void {
  const accepted = acceptedTogether(changes, blocks, chainTimeOf(changes))
  addPresent(contextOf(changes, changes), accepted, currentProjections)
  noteFollowed(changes, accepted)
}

/**
 * Adds the rows about the present state, each projection by itself: a fault in one leaves the rows of this block out, and the history ends before
 * it, so that a rebuild is due.
 */
function addPresent(context: ProjectionContext, accepted: readonly AcceptedBlock[], added: readonly Projection[]): void {
  const { height } = accepted[0] as AcceptedBlock
  const adding = (some: readonly Projection[]) => (diff: Diff) => addBlocks({ ...context, diff }, accepted, some)
  if (!tryRows(context.diff, adding(added))) return
  for (const projection of added) addRows(context.diff, height, adding([projection]))
}

/** Adds the read model's rows to the diff of genesis, unless `withExplorer` is false without those for explorers, which `followChain` adds later. */
export function projectGenesis(changes: Diff, genesis: ReadModelGenesis, withExplorer = true): void {
  addBlocks(contextOf(changes, changes), [genesisBlock(genesis)], projections)
  if (withExplorer) projectExplorerGenesis(changes, genesis)
}

/** Number of rows in one commit. */
const ROWS_AT_ONCE = 50_000

/**
 * Rebuilds all rows of the read model from the chain. A killed rebuild is incomplete, so the version may be recorded only after this has
 * returned. `onCommit` is called with every commit.
 */
export function rebuildReadModel(store: ReadModelStore, genesis: ReadModelGenesis, onCommit: () => void = () => {}): void {
  // The rows are not read, because those of another version may not decode. From here on no version regards them as its own.
  const clearTables = [...projections.flatMap(({ tables }) => tables), readTables.historyGap]
  store.commit(new Map(), { clearTables, meta: { readModel: undefined } })
  // The next projection reads the rows of this one from the store.
  for (const steps of [followSteps(store.latest), historySteps(store.latest, genesis), rebuildSteps(store.latest)]) {
    for (const _ of commitSteps(store, steps, ROWS_AT_ONCE)) onCommit()
  }
}

function* followSteps(view: View): Iterable<ProjectionStep> {
  for (const { follows = [] } of projections) {
    for (const { source, change } of follows) {
      for (const [key, row] of view.rows(source)) yield (diff) => change(diff, key, undefined, row)
    }
  }
}

function* historySteps(view: View, genesis: ReadModelGenesis): Iterable<ProjectionStep> {
  for (const accepted of acceptedBlocks(view, genesis)) {
    yield (diff) => {
      const context = contextOf(diff)
      addPresent(context, accepted, presentProjections)
      const { height } = accepted[0] as AcceptedBlock
      addHistory(diff, height, (rows) => addBlocks({ ...context, diff: rows }, accepted, historyProjections))
    }
  }
}

function* rebuildSteps(view: View): Iterable<ProjectionStep> {
  for (const projection of projections) yield* projection.rebuild?.(view) ?? []
}
