import { type ChainIdentity, type ChainKind, identityText, isOwnKind } from "../core/networks/chainIdentity.js"
import { tables } from "../core/state/tables.js"
import type { ChainChoice } from "./chainData.js"
import { nodeError } from "./errors.js"
import type { NodeOptions } from "./nodeOptions.js"
import { kindOfOlderStore } from "./olderStore.js"
import { networkChainIDOf, newChainID, storedIdentity } from "./storedIdentity.js"

/** Returns the kind of a new chain in a mode, and its ID if that is not the one of its network. */
export function originOf({ mode, choice }: Pick<NodeOptions, "mode" | "choice">): ChainChoice["origin"] {
  if (mode === "join") return { kind: "joined" }
  if (mode === "dev") return { kind: "private", id: choice.ifNew?.id ?? newChainID() }
  return choice.origin
}

/** The options of a node on which the kind of its chain depends. */
type KindOptions = Pick<NodeOptions, "store" | "mode" | "choice" | "chainKind" | "dataDir" | "log">

/**
 * Checks that the chain in a store may be opened in a mode, and records what it is if an older version made the store. Nothing has changed
 * if it throws `node.was_joined`, `was_followed`, `was_private`, `unknown_kind` or `other_kind`.
 */
export function checkKind(options: KindOptions): void {
  const { store, mode, dataDir, log } = options
  // A chain that is only read stays what it is.
  if (mode === "serve" || store.latest.get(tables.lastAccepted, null) === undefined) return
  const networkChain = networkChainIDOf(store)
  const found = storedIdentity(store)
  const { kind, id } = found ?? olderIdentity(options, networkChain)
  if (mode === "dev" && !isOwnKind(kind))
    throw nodeError(kind === "joined" ? "node.was_joined" : "node.was_followed", { dataDir })
  if (mode === "join" && id !== networkChain) throw nodeError("node.was_private", { dataDir, kind })
  if (mode === "follow" && isOwnKind(kind)) throw nodeError("node.was_private", { dataDir, kind })
  // A copy of a network's chain can be continued in both ways.
  const opened: ChainIdentity = { kind: mode === "dev" ? kind : mode === "join" ? "joined" : "followed", id }
  if (found && opened.kind === kind) return
  store.putMeta({ identity: identityText(opened) })
  log.info("the directory records its chain", { ...opened, ...(found ? { before: kind } : {}) })
}

/** Returns the identity of a chain that an older version made. A flag or the mode names the kind where the content does not show it. */
function olderIdentity({ store, mode, choice, chainKind, dataDir }: KindOptions, networkChain: string): ChainIdentity {
  const shown = kindOfOlderStore(store)
  if (shown !== undefined && chainKind !== undefined && shown !== chainKind) {
    throw nodeError("node.other_kind", { dataDir, expected: shown, got: chainKind })
  }
  const named: Partial<Record<NodeOptions["mode"], ChainKind>> = { join: "joined", follow: "followed" }
  const kind = shown ?? chainKind ?? named[mode]
  if (kind === undefined) throw nodeError("node.unknown_kind", { dataDir })
  return { kind, id: isOwnKind(kind) ? newChainID() : (choice.origin?.id ?? networkChain) }
}
