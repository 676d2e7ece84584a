import type { Genesis } from "../core/genesis/genesis.js"
import type { Log } from "../core/lib/log.js"
import { rebuildReadModel } from "../core/readmodel/fold.js"
import { READ_MODEL_VERSION } from "../core/readmodel/index.js"
import { tables } from "../core/state/tables.js"
import type { Store } from "../store/store.js"

/** Rebuilds the read model if it is missing or has another version. */
export function bringUpReadModel(store: Store, genesis: Genesis, log: Log): void {
  if (store.getMeta("readModel") === READ_MODEL_VERSION) return
  makeReadModel(store, genesis, log)
  store.putMeta({ readModel: READ_MODEL_VERSION })
}

/** Rebuilds the read model from the accepted blocks. */
export function makeReadModel(store: Store, genesis: Genesis, log: Log): void {
  log.info("making the read model", { height: store.latest.get(tables.lastAccepted, null)?.height ?? 0n })
  let parts = 0
  rebuildReadModel(store, genesis, () => log.info("read model goes on", { parts: ++parts }))
}
