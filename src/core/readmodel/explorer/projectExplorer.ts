import { Diff } from "../../state/diff.js"
import { heightOf, tables } from "../../state/tables.js"
import type { View } from "../../state/view.js"
import type { Utxo } from "../../types/utxo.js"
import { type AcceptedBlock, acceptedBlocks, genesisBlock, type ReadModelGenesis } from "../acceptedBlock.js"
import { addHistory, historyGap } from "../historyGap.js"
import {
  addBlocks,
  type BlockProjection,
  commitSteps,
  contextOf,
  type ProjectionContext,
  type ProjectionStep,
  type ReadModelStore,
} from "../projection.js"
import { EXPLORER_VERSION } from "../versions.js"
import { departures, runOuts } from "./departures.js"
import { createUntraced, isCreated, money } from "./money.js"
import { explorerTableList, explorerTables } from "./tables.js"
import { txLists } from "./txLists.js"

const projections: readonly BlockProjection[] = [txLists, money, departures, runOuts]

/**
 * Adds the rows for explorers to the changes of accepted blocks: one block, or a proposal and its option. It skips a chain whose rows
 * lag behind.
 */
export function projectExplorer(context: ProjectionContext, accepted: readonly AcceptedBlock[]): void {
  const { diff } = context
  const [first] = accepted
  if (!first || !isFollowing(diff, first.height - 1n)) return
  addBlocks(context, accepted, projections)
  noteProgress(diff, accepted)
}

/** Records that the rows for explorers, which are in another store, include accepted blocks. It skips a chain whose rows lag behind. */
export function noteFollowed(changes: Diff, accepted: readonly AcceptedBlock[]): void {
  const [first] = accepted
  if (first && isFollowing(changes, first.height - 1n)) noteProgress(changes, accepted)
}

export function projectExplorerGenesis(changes: Diff, genesis: ReadModelGenesis): void {
  for (const step of genesisSteps(changes, genesis)) step(changes)
}

/** Adds an output that a private chain's override created after the last accepted block. */
export function projectUntraced(changes: Diff, utxo: Utxo): void {
  const height = heightOf(changes)
  if (isFollowing(changes, height)) createUntraced(changes, [utxo], height)
}

/** Returns whether the rows for explorers include the block of a height, by default the last accepted one. */
export function hasExplorerRows(view: View, height = heightOf(view)): boolean {
  const progress = view.get(explorerTables.progress, null)
  return progress?.version === EXPLORER_VERSION && progress.height >= height
}

const isFollowing = (view: View, height: bigint): boolean =>
  hasExplorerRows(view, height) && !view.get(explorerTables.progress, null)?.isPaused

/** Stops updating the rows until `followChain` is called (`--history off`). */
export function pauseExplorer(store: ReadModelStore): void {
  const progress = store.latest.get(explorerTables.progress, null)
  if (!progress || progress.isPaused) return
  const diff = new Diff(store.latest)
  diff.put(explorerTables.progress, null, { ...progress, isPaused: true })
  store.commit(diff.edits)
}

export function clearExplorer(store: ReadModelStore): void {
  store.commit(new Map(), { clearTables: explorerTableList })
}

export interface FollowOptions {
  readonly genesis: ReadModelGenesis
  /** Number of rows in one commit; 5,000 by default. */
  readonly rowsAtOnce?: number
}

/**
 * Adds the rows for explorers of all blocks that they lack, unless the history has a gap. After each commit it yields the height that the
 * rows have reached. After a kill the next call continues from the last commit. Rows of another version are removed first.
 */
export function* followChain(store: ReadModelStore, { genesis, rowsAtOnce = 5_000 }: FollowOptions): Iterable<bigint> {
  if (historyGap(store.latest)) return
  if (store.latest.get(explorerTables.progress, null)?.version !== EXPLORER_VERSION) {
    clearExplorer(store)
  }
  for (const _ of commitSteps(store, missingSteps(store.latest, genesis), rowsAtOnce, (rows) => historyGap(rows) !== undefined)) {
    yield store.latest.get(explorerTables.progress, null)?.height ?? 0n
  }
}

function* missingSteps(view: View, genesis: ReadModelGenesis): Iterable<ProjectionStep> {
  const progress = view.get(explorerTables.progress, null)
  if (!progress) yield* genesisSteps(view, genesis)
  if (progress?.isPaused) yield (diff) => diff.put(explorerTables.progress, null, { ...progress, isPaused: false })
  const start = progress ?? { height: 0n, time: genesis.timestamp }
  const overridden = untracedByHeight(view)
  // The rows of the overrides after the last processed block may be there already.
  if (progress) yield* untracedSteps(overridden.get(start.height), start.height)
  for (const accepted of acceptedBlocks(view, genesis, start)) {
    yield (diff) => addHistory(diff, (accepted[0] as AcceptedBlock).height, (rows) => followBlocks(rows, accepted))
    for (const { height } of accepted) yield* untracedSteps(overridden.get(height), height)
  }
}

/** Returns the outputs without a transaction by the heights of the blocks after which they were made. */
function untracedByHeight(view: View): ReadonlyMap<bigint, readonly Utxo[]> {
  const byHeight = new Map<bigint, Utxo[]>()
  for (const [, { height, utxo }] of view.rows(tables.untracedOutputs)) {
    const others = byHeight.get(height)
    if (others) others.push(utxo)
    else byHeight.set(height, [utxo])
  }
  return byHeight
}

/** The number of outputs whose rows one step adds. */
const OUTPUTS_AT_ONCE = 1000

/** Adds the rows of outputs without a transaction, unless they are there. */
function* untracedSteps(utxos: readonly Utxo[] = [], height: bigint): Iterable<ProjectionStep> {
  for (let from = 0; from < utxos.length; from += OUTPUTS_AT_ONCE) {
    yield (diff) => {
      const missing = utxos.slice(from, from + OUTPUTS_AT_ONCE).filter((utxo) => !isCreated(diff, utxo, height))
      createUntraced(diff, missing, height)
    }
  }
}

/** Adds the rows of genesis, and of the outputs that overrides made before the first block. */
function* genesisSteps(view: View, genesis: ReadModelGenesis): Iterable<ProjectionStep> {
  yield* untracedSteps(untracedByHeight(view).get(0n), 0n)
  yield (diff) => followBlocks(diff, [genesisBlock(genesis)])
}

function followBlocks(diff: Diff, accepted: readonly AcceptedBlock[]): void {
  addBlocks(contextOf(diff), accepted, projections)
  noteProgress(diff, accepted)
}

function noteProgress(diff: Diff, accepted: readonly AcceptedBlock[]): void {
  const { height, time } = accepted.at(-1) as AcceptedBlock
  diff.put(explorerTables.progress, null, { version: EXPLORER_VERSION, height, time, isPaused: false })
}
