import { nodeError } from "../chaindata/errors.js"
import { networkChainIDOf, storedIdentity } from "../chaindata/storedIdentity.js"
import { type ChainIdentity, identityText, isOwnKind } from "../core/networks/chainIdentity.js"
import { tables } from "../core/state/tables.js"
import type { NodeOptions } from "../node/options.js"
import type { Store } from "../store/store.js"

/**
 * Checks that the chain in a store may be extended as a private, joined or followed one, and records a change between joined and followed.
 * Nothing has changed if it throws `node.was_joined`, `was_followed` or `was_private`.
 */
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
