import type { Genesis } from "../core/genesis/genesis.js"
import type { Log } from "../core/lib/log.js"
import { followChain, hasExplorerRows, pauseExplorer, projectUntraced } from "../core/readmodel/explorer/projectExplorer.js"
import { rebuildReadModel } from "../core/readmodel/fold.js"
import { historyGap } from "../core/readmodel/historyGap.js"
import { listedOwners } from "../core/readmodel/ownerGroups.js"
import { addressesOf } from "../core/readmodel/owners.js"
import { rebuildLastSegment } from "../core/readmodel/validatorSets/setSegments.js"
import { HISTORY_VERSION, READ_MODEL_VERSION } from "../core/readmodel/versions.js"
import type { Diff } from "../core/state/diff.js"
import { heightOf } from "../core/state/tables.js"
import type { Override } from "../producer/tables.js"
import type { Store } from "../store/store.js"
import { GenesisProofs } from "./genesis/genesisProofs.js"
import type { StoredChain } from "./storedChain.js"

/** Rebuilds the read model if it is missing or has another version, or if another version left a gap in the history. */
export function bringUpReadModel(store: Store, genesis: Genesis, log: Log): void {
  const gap = historyGap(store.latest)
  if (store.getMeta("readModel") === READ_MODEL_VERSION && (!gap || gap.version === HISTORY_VERSION)) return
  makeReadModel(store, genesis, log)
  store.putMeta({ readModel: READ_MODEL_VERSION })
}

/** Rebuilds the read model from the accepted blocks. */
export function makeReadModel(store: Store, genesis: Genesis, log: Log): void {
  log.info("making the read model", { height: heightOf(store.latest) })
  let parts = 0
  rebuildReadModel(store, genesis, () => log.info("read model continues", { parts: ++parts }))
}

/** The options on which the derived rows of a chain depend. */
interface RowOptions {
  readonly history?: "on" | "off"
  readonly publish?: string | undefined
  readonly log: Log
}

/**
 * Returns whether the history of a genesis with proofs to verify is added after they are verified, when the node listens already. A
 * publisher needs it before.
 */
export const addsHistoryLater = ({ publish }: Pick<RowOptions, "publish">): boolean => publish === undefined

/** Brings the rows of a chain that derive from its blocks up to date. Returns the proofs of its genesis that are not verified yet. */
export function bringUpRows(store: Store, { genesis, isProven }: StoredChain, options: RowOptions): GenesisProofs | undefined {
  const { history = "on", log } = options
  bringUpReadModel(store, genesis, log)
  const isLater = !isProven && addsHistoryLater(options)
  if (!isLater) bringUpHistory(store, genesis, history, log)
  if (isProven) return undefined
  return new GenesisProofs({ store, genesis, afterwards: isLater ? historyParts(store, genesis, history, log) : [], log })
}

/** Adds the missing rows for explorers, or with `off` stops updating them. */
export function bringUpHistory(store: Store, genesis: Genesis, history: "on" | "off", log: Log): void {
  for (const _ of historyParts(store, genesis, history, log));
}

/** Does the same in parts: others may run after each of them. */
function* historyParts(store: Store, genesis: Genesis, history: "on" | "off", log: Log): Iterable<unknown> {
  if (history === "off") {
    pauseExplorer(store)
    return
  }
  const height = heightOf(store.latest)
  const isLong = height > 0n && !hasExplorerRows(store.latest)
  if (isLong) log.info("adding the history for explorers", { height })
  for (const reached of followChain(store, { genesis })) {
    if (isLong) log.info("history for explorers continues", { reached, height })
    yield
  }
}

/** Adds the read model's rows of an override of a private chain. */
export function projectOverride(changes: Diff, override: Override): void {
  if (override.kind === "utxo") {
    listedOwners(changes, addressesOf(override.utxo))
    projectUntraced(changes, override.utxo)
  }
  if (override.kind === "validatorKey") rebuildLastSegment(changes, override.subnetID)
}
