import { Diff } from "../../state/diff.js"
import { subnetsWithChanges } from "../../state/setChanges.js"
import { heightOf, tables } from "../../state/tables.js"
import type { View } from "../../state/view.js"
import { type Utxo, utxoID } from "../../types/utxo.js"
import { type AcceptedBlock, acceptedBlocks, genesisBlock, type ReadModelGenesis } from "../acceptedBlock.js"
import { addHistory, historyGap } from "../historyGap.js"
import { addressesOf, ownersOfOutput } from "../owners.js"
import {
  addBlocks,
  type BlockProjection,
  followNewValues,
  type ProjectionContext,
  type ProjectionStep,
  type ReadModelStore,
} from "../projection.js"
import { EXPLORER_VERSION } from "../versions.js"
import { departures } from "./departures.js"
import { createUntraced, money } from "./money.js"
import { explorerTableList, explorerTables } from "./tables.js"
import { txLists } from "./txLists.js"

/** The changes of a node's weight in a subnet, newest first: the state lists them by height only. */
const weightHistory: BlockProjection = {
  follows: [
    followNewValues(tables.weightDiffs, (diff, row, { subnetID, nodeID, height }) =>
      diff.put(explorerTables.weightHistory, { subnetID, nodeID, height }, row),
    ),
  ],
}

/** The order matters: later ones read rows of earlier ones. */
const projections: readonly BlockProjection[] = [txLists, money, departures, weightHistory]

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
  for (const step of genesisSteps(genesis, changes)) step(changes)
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

/** An output without a transaction, and the height after which it was created. */
export interface UntracedOutput {
  readonly height: bigint
  readonly utxo: Utxo
}

export function clearExplorer(store: ReadModelStore): void {
  store.commit(new Map(), { clearTables: explorerTableList })
}

export interface FollowOptions {
  readonly genesis: ReadModelGenesis
  /** The outputs of overrides of a private chain, in the order of their heights. */
  readonly untraced?: readonly UntracedOutput[]
  /** Number of rows in one commit; 5,000 by default. */
  readonly rowsAtOnce?: number
}

/**
 * Adds the rows for explorers of all blocks that they lack, unless the history has a gap. After each commit it yields the height that the
 * rows have reached. After a kill the next call continues from the last commit. Rows of another version are removed first.
 */
export function* followChain(store: ReadModelStore, options: FollowOptions): Iterable<bigint> {
  const { genesis, untraced = [], rowsAtOnce = 5_000 } = options
  if (historyGap(store.latest)) return
  if (store.latest.get(explorerTables.progress, null)?.version !== EXPLORER_VERSION) {
    clearExplorer(store)
  }
  let diff = new Diff(store.latest)
  const flush = () => {
    store.commit(diff.edits)
    diff = new Diff(store.latest)
    return store.latest.get(explorerTables.progress, null)?.height ?? 0n
  }
  for (const step of missingSteps(store.latest, genesis, untraced)) {
    step(diff)
    if (diff.size >= rowsAtOnce) yield flush()
    if (historyGap(diff)) break
  }
  if (diff.size > 0) yield flush()
}

function* missingSteps(view: View, genesis: ReadModelGenesis, untraced: readonly UntracedOutput[]): Iterable<ProjectionStep> {
  const progress = view.get(explorerTables.progress, null)
  yield* weightHistorySteps(view, progress?.height)
  if (!progress) yield* genesisSteps(genesis)
  if (progress?.isPaused) yield (diff) => diff.put(explorerTables.progress, null, { ...progress, isPaused: false })
  const start = progress ?? { height: 0n, time: genesis.timestamp }
  let next = untraced.findIndex(({ height }) => height >= start.height)
  if (next < 0) next = untraced.length
  for (const accepted of acceptedBlocks(view, genesis, start)) {
    const reached = (accepted.at(-1) as AcceptedBlock).height
    const created: UntracedOutput[] = []
    // An override after a block is applied before the next one.
    for (; next < untraced.length && (untraced[next] as UntracedOutput).height < reached; next++) {
      created.push(untraced[next] as UntracedOutput)
    }
    yield (diff) => {
      for (const output of created) createUntracedOnce(diff, output)
      const { height } = accepted[0] as AcceptedBlock
      addHistory(diff, height, (rows) => followBlocks(rows, accepted))
    }
  }
  for (const output of untraced.slice(next)) yield (diff) => createUntracedOnce(diff, output)
}

/** Adds the changes of weight above a height (all of them by default). */
function* weightHistorySteps(view: View, above = -1n): Iterable<ProjectionStep> {
  for (const subnetID of subnetsWithChanges(view)) {
    for (const [{ height, nodeID }, row] of view.rows(tables.weightDiffs, { under: { subnetID } })) {
      if (height <= above) break
      yield (diff) => diff.put(explorerTables.weightHistory, { subnetID, nodeID, height }, row)
    }
  }
}

/** An override after the last processed block may have its rows already. */
function createUntracedOnce(diff: Diff, { utxo, height }: UntracedOutput): void {
  const isKnown = diff.get(explorerTables.untracedOutputs, utxoID(utxo.txID, utxo.outputIndex))
  if (!isKnown) createUntraced(diff, [utxo], height)
}

/** The number of outputs of genesis whose rows one step adds. */
const OUTPUTS_AT_ONCE = 1000

/** Adds the rows of genesis. `changes` are those of the state by genesis, if these are not stored yet. */
function* genesisSteps(genesis: ReadModelGenesis, changes?: Diff): Iterable<ProjectionStep> {
  for (let from = 0; from < genesis.utxos.length; from += OUTPUTS_AT_ONCE) {
    yield (diff) => createUntraced(diff, genesis.utxos.slice(from, from + OUTPUTS_AT_ONCE), 0n)
  }
  yield (diff) => followBlocks(diff, [genesisBlock(genesis)], changes)
}

function followBlocks(diff: Diff, accepted: readonly AcceptedBlock[], changes?: Diff): void {
  const ownersOf: ProjectionContext["ownersOf"] = ({ txID, outputIndex }) => {
    const untraced = diff.get(explorerTables.untracedOutputs, utxoID(txID, outputIndex))
    return untraced ? addressesOf(untraced) : ownersOfOutput(diff, txID, outputIndex)
  }
  addBlocks({ diff, changes, ownersOf }, accepted, projections)
  noteProgress(diff, accepted)
}

function noteProgress(diff: Diff, accepted: readonly AcceptedBlock[]): void {
  const { height, time } = accepted.at(-1) as AcceptedBlock
  diff.put(explorerTables.progress, null, { version: EXPLORER_VERSION, height, time, isPaused: false })
}
