import { type ChainIdentity, identityText, isOwnKind } from "../core/networks/chainIdentity.js"
import { tables } from "../core/state/tables.js"
import type { ChainChoice } from "./chainData.js"
import { nodeError } from "./errors.js"
import type { NodeOptions } from "./nodeOptions.js"
import { networkChainIDOf, newChainID, storedIdentity } from "./storedIdentity.js"

/** Returns the kind of a new chain in a mode, and its ID if that is not the one of its network. */
export function originOf({ mode, choice }: Pick<NodeOptions, "mode" | "choice">): ChainChoice["origin"] {
  if (mode === "join") return { kind: "joined" }
  if (mode === "dev") return { kind: "private", id: choice.ifNew?.id ?? newChainID() }
  return choice.origin
}

/** The options of a node on which the kind of its chain depends. */
type KindOptions = Pick<NodeOptions, "store" | "mode" | "dataDir" | "log">

/**
 * Checks that the chain in a store may be opened in a mode, and records a change between joined and followed. Nothing has changed if it
 * throws `node.was_joined`, `was_followed` or `was_private`.
 */
export function checkKind(options: KindOptions): void {
  const { store, mode, dataDir, log } = options
  // A chain that is only read stays what it is.
  if (mode === "serve" || store.latest.get(tables.lastAccepted, null) === undefined) return
  const networkChain = networkChainIDOf(store)
  const found = storedIdentity(store)
  if (!found) throw new Error("the store has a chain but no identity")
  const { kind, id } = found
  if (mode === "dev" && !isOwnKind(kind))
    throw nodeError(kind === "joined" ? "node.was_joined" : "node.was_followed", { dataDir })
  if (mode === "join" && id !== networkChain) throw nodeError("node.was_private", { dataDir, kind })
  if (mode === "follow" && isOwnKind(kind)) throw nodeError("node.was_private", { dataDir, kind })
  // A copy of a network's chain can be continued in both ways.
  const opened: ChainIdentity = { kind: mode === "dev" ? kind : mode === "join" ? "joined" : "followed", id }
  if (opened.kind === kind) return
  store.putMeta({ identity: identityText(opened) })
  log.info("the directory records its chain", { ...opened, before: kind })
}
