import { type ChainChoice, openChainData } from "../chaindata/chainData.js"
import { nodeError } from "../chaindata/errors.js"
import { addsHistoryLater, bringUpRows } from "../chaindata/readModel.js"
import { networkChainIDOf, storedIdentity } from "../chaindata/storedIdentity.js"
import { keepUpgrades } from "../chaindata/upgradesOfChain.js"
import { wholeSeconds } from "../core/lib/wholeSeconds.js"
import { type ChainIdentity, identityText, isOwnKind } from "../core/networks/chainIdentity.js"
import { tables } from "../core/state/tables.js"
import { openIdentity } from "../node/identity/identity.js"
import type { NodeOptions } from "../node/options.js"
import type { ChainSource } from "../node/source.js"
import type { Store } from "../store/store.js"

/** Checks whether a chain may be extended in this way, and records a change between joined and followed. Throws `node.was_*`. */
export function checkKind(
  opened: "private" | "joined" | "followed",
  store: Store,
  { dataDir, log }: Pick<NodeOptions, "dataDir" | "log">,
): void {
  if (store.latest.get(tables.lastAccepted, null) === undefined) return
  const found = storedIdentity(store)
  if (!found) throw new Error("the store has a chain but no identity")
  const { kind, id } = found
  if (opened === "private") {
    if (isOwnKind(kind)) return
    throw nodeError(kind === "joined" ? "node.was_joined" : "node.was_followed", { dataDir })
  }
  if (opened === "joined" ? id !== networkChainIDOf(store) : isOwnKind(kind)) {
    throw nodeError("node.was_private", { dataDir, kind })
  }
  // A copy of a network's chain can be continued in both ways.
  if (opened === kind) return
  const identity: ChainIdentity = { kind: opened, id }
  store.putMeta({ identity: identityText(identity) })
  log.info("the directory records its chain", { ...identity, before: kind })
}

/** Opens a chain whose blocks other nodes make, or makes a new one in the store. Throws `node.was_private`, `node.missed_upgrade`. */
export function openForeignChain(
  kind: "joined" | "followed",
  store: Store,
  options: NodeOptions & { readonly choice: ChainChoice },
): Pick<ChainSource, "data" | "identity" | "proofs"> {
  const { choice, dataDir, log, wall, identity: flags } = options
  checkKind(kind, store, options)
  const origin = { ...choice.origin, kind }
  const data = openChainData(store, { ...choice, origin, addsHistoryLater: addsHistoryLater(options) }, log)
  keepUpgrades(store, data.rules.networkID)
  // The public identity of the local network is only for private chains. Among peers it would be another node's.
  const identity = openIdentity({ isBuiltIn: false, dataDir, flags, now: wholeSeconds(wall()) })
  return { data, identity, proofs: bringUpRows(store, data, options) }
}
