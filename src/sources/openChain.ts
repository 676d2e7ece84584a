import { wholeSeconds } from "../core/lib/wholeSeconds.js"
import { type ChainIdentity, identityText, isOwnKind } from "../core/networks/chainIdentity.js"
import { isProduction, networkNameOf } from "../core/networks/names.js"
import { tables } from "../core/state/tables.js"
import { nodeError } from "../datadir/errors.js"
import type { NewChain } from "../datadir/newChain.js"
import { nodeTables, tablesBesideChain } from "../datadir/nodeTables.js"
import type { OpenStore } from "../datadir/openStore.js"
import { chainDir } from "../datadir/places.js"
import { addsHistoryLater, bringUpRows } from "../datadir/readModel.js"
import type { RequestedCopy } from "../datadir/requestedChain.js"
import { openStoredChain } from "../datadir/storedChain.js"
import { networkChainIDOf, storedIdentity } from "../datadir/storedIdentity.js"
import { keepUpgrades } from "../datadir/upgradesOfChain.js"
import { openIdentity } from "../node/identity/identity.js"
import type { NodeChain } from "../node/nodeChain.js"
import type { NodeOptions } from "../node/options.js"
import { MemoryStore } from "../store/memory/memoryStore.js"
import type { Store } from "../store/store.js"

/** Opens the store of a node: in a data directory, or in memory. LMDB is loaded on use, because it takes as long as the rest of a start. */
export async function openNodeStore(dataDir: string | undefined, { log, allowsSharedVolume }: OpenStore): Promise<Store> {
  if (dataDir === undefined) return new MemoryStore({ tables: nodeTables, tablesBesideChain })
  const { openStore } = await import("../datadir/openStore.js")
  return openStore(chainDir(dataDir), { log, allowsSharedVolume })
}

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

interface Opening {
  readonly kind: "private" | "joined" | "followed"
  readonly request: RequestedCopy
  /** Makes the chain if the store has none. */
  make(): NewChain
  /** True if a new chain replaces the one in the store. */
  readonly resets?: boolean | undefined
  /** True if the chain continues another one, which may be that of Mainnet or Fuji. */
  readonly isFork?: boolean
}

/**
 * Opens the chain in a store, or makes a new one, and brings its derived rows up to date. Throws `node.was_*`, `node.missed_upgrade`, and
 * `node.production` for a private chain of Mainnet or Fuji, which only a fork may be.
 */
export function openChain(
  store: Store,
  options: NodeOptions,
  { kind, request, make, resets, isFork }: Opening,
): Pick<NodeChain, "data" | "identity" | "proofs"> {
  const { dataDir, log, wall, identity: flags } = options
  checkKind(kind, store, options)
  const data = openStoredChain(store, request, { make, resets, addsHistoryLater: addsHistoryLater(options), log })
  const { networkID } = data.rules
  const isPrivate = kind === "private"
  const isPublicNetwork = isProduction(networkID)
  if (isPrivate && isPublicNetwork && !isFork) throw nodeError("node.production", { network: networkNameOf(networkID) })
  if (!isPrivate) keepUpgrades(store, networkID)
  // The public identity of the local network is only for private chains. Among peers it would be another node's.
  const isBuiltIn = isPrivate && request.genesisText === undefined && !isPublicNetwork
  const identity = openIdentity({ isBuiltIn, dataDir, flags, now: wholeSeconds(wall()) })
  return { data, identity, proofs: bringUpRows(store, data, options) }
}
