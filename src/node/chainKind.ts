import { randomBytes } from "node:crypto"
import { toHex } from "../core/lib/bytes.js"
import {
  type ChainIdentity,
  type ChainKind,
  identityText,
  isOwnKind,
  networkChainID,
  parseIdentity,
} from "../core/networks/chainIdentity.js"
import { tables } from "../core/state/tables.js"
import { type ID, ID_SIZE, idText } from "../core/types/id.js"
import type { Store } from "../store/store.js"
import type { ChainChoice } from "./chainData.js"
import { nodeError } from "./errors.js"
import type { NodeOptions } from "./nodeOptions.js"
import { kindOfOlderStore } from "./olderStore.js"

/** Makes the ID of a new private chain or fork. */
export const newChainID = (): string => idText(toHex(randomBytes(ID_SIZE)) as ID)

/** Returns the kind of a new chain in a mode, and its ID if that is not the one of its network. */
export function originOf({ mode, choice }: Pick<NodeOptions, "mode" | "choice">): ChainChoice["origin"] {
  if (mode === "join") return { kind: "joined" }
  if (mode === "dev") return { kind: "private", id: choice.ifNew?.id ?? newChainID() }
  return choice.origin
}

/** Returns the identity of the chain in a store; `undefined` if an older version made the store. */
export function storedIdentity(store: Pick<Store, "getMeta">): ChainIdentity | undefined {
  const text = store.getMeta("identity")
  return text === undefined ? undefined : parseIdentity(text)
}

/**
 * Checks that the chain in a store may be opened in a mode, and records what it is if an older version made the store. Nothing has changed
 * if it throws `node.was_joined`, `was_followed`, `was_private`, `unknown_kind` or `other_kind`.
 */
export function checkKind(options: Pick<NodeOptions, "store" | "mode" | "chainKind" | "dataDir" | "log">): void {
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
function olderIdentity(
  { store, mode, chainKind, dataDir }: Pick<NodeOptions, "store" | "mode" | "chainKind" | "dataDir">,
  networkChain: string,
): ChainIdentity {
  const shown = kindOfOlderStore(store)
  if (shown !== undefined && chainKind !== undefined && shown !== chainKind) {
    throw nodeError("node.other_kind", { dataDir, expected: shown, got: chainKind })
  }
  const named: Partial<Record<NodeOptions["mode"], ChainKind>> = { join: "joined", follow: "followed" }
  const kind = shown ?? chainKind ?? named[mode]
  if (kind === undefined) throw nodeError("node.unknown_kind", { dataDir })
  return { kind, id: isOwnKind(kind) ? newChainID() : networkChain }
}

/** Returns the ID that the chain of a store has if it is a network's. */
export function networkChainIDOf(store: Pick<Store, "getMeta">): string {
  const [networkID, genesisID] = [store.getMeta("networkID"), store.getMeta("genesisID")]
  if (networkID === undefined || genesisID === undefined) throw new Error("the store has a chain but no genesis")
  return networkChainID(networkID, genesisID)
}
