import { wholeSeconds } from "../core/lib/wholeSeconds.js"
import { type ChainIdentity, identityText, isOwnKind } from "../core/networks/chainIdentity.js"
import { isProduction, networkNameOf } from "../core/networks/names.js"
import { tables } from "../core/state/tables.js"
import { nodeError } from "../datadir/errors.js"
import { addsHistoryLater, bringUpRows } from "../datadir/readModel.js"
import { openStoredChain, type RequestedChain } from "../datadir/storedChain.js"
import { networkChainIDOf, newChainID, storedIdentity } from "../datadir/storedIdentity.js"
import { keepUpgrades } from "../datadir/upgradesOfChain.js"
import { openIdentity } from "../node/identity/identity.js"
import type { NodeChain } from "../node/nodeChain.js"
import type { NodeOptions } from "../node/options.js"
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

/**
 * Opens the chain in a store, or makes a new one, and brings its derived rows up to date. Throws `node.was_*`, `node.missed_upgrade`, and
 * `node.production` for a private chain of Mainnet or Fuji, which only a fork may be.
 */
export function openChain(
  kind: "private" | "joined" | "followed",
  store: Store,
  options: NodeOptions & { readonly choice: RequestedChain; readonly fork?: object | undefined },
): Pick<NodeChain, "data" | "identity" | "proofs"> {
  const { choice, dataDir, log, wall, identity: flags, fork } = options
  checkKind(kind, store, options)
  const isPrivate = kind === "private"
  const origin = { ...choice.origin, ...(isPrivate ? { id: choice.ifNew?.id ?? newChainID() } : {}), kind }
  const data = openStoredChain(store, { ...choice, origin, addsHistoryLater: addsHistoryLater(options) }, log)
  const { networkID } = data.rules
  const isPublicNetwork = isProduction(networkID)
  if (isPrivate && isPublicNetwork && !fork) throw nodeError("node.production", { network: networkNameOf(networkID) })
  if (!isPrivate) keepUpgrades(store, networkID)
  // The public identity of the local network is only for private chains. Among peers it would be another node's.
  const isBuiltIn = isPrivate && choice.genesisText === undefined && !isPublicNetwork
  const identity = openIdentity({ isBuiltIn, dataDir, flags, now: wholeSeconds(wall()) })
  return { data, identity, proofs: bringUpRows(store, data, options) }
}
