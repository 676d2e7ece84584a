import type { Genesis } from "../core/genesis/genesis.js"
import type { Log } from "../core/lib/log.js"
import { followChain, hasExplorerRows, pauseExplorer, type UntracedOutput } from "../core/readmodel/explorer/projectExplorer.js"
import { rebuildReadModel } from "../core/readmodel/fold.js"
import { historyGap } from "../core/readmodel/historyGap.js"
import { HISTORY_VERSION, READ_MODEL_VERSION } from "../core/readmodel/versions.js"
import { heightOf } from "../core/state/tables.js"
import type { View } from "../core/state/view.js"
import { devTables } from "../producer/tables.js"
import type { Store } from "../store/store.js"

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

/** Adds the missing rows for explorers, or with `off` stops updating them. */
export function bringUpHistory(store: Store, genesis: Genesis, history: "on" | "off", log: Log): void {
  for (const _ of historyParts(store, genesis, history, log));
}

/** Does the same in parts: others may run after each of them. */
export function* historyParts(store: Store, genesis: Genesis, history: "on" | "off", log: Log): Iterable<unknown> {
  if (history === "off") {
    pauseExplorer(store)
    return
  }
  const height = heightOf(store.latest)
  const isLong = height > 0n && !hasExplorerRows(store.latest)
  if (isLong) log.info("adding the history for explorers", { height })
  for (const reached of followChain(store, { genesis, untraced: untracedOutputs(store.latest) })) {
    if (isLong) log.info("history for explorers continues", { reached, height })
    yield
  }
}

/** Returns the outputs that overrides of a private chain made. */
function untracedOutputs(view: View): readonly UntracedOutput[] {
  const rows = [...view.rows(devTables.overrides)].map(([, row]) => row)
  return rows.flatMap(({ height, override }) => (override.kind === "utxo" ? [{ height, utxo: override.utxo }] : []))
}
