import { randomBytes } from "node:crypto"
import { toHex } from "../core/lib/bytes.js"
import { parseJson } from "../core/lib/parseJson.js"
import { type ChainIdentity, type CopyHeader, networkChainID, parseIdentity } from "../core/networks/chainIdentity.js"
import { type ID, ID_SIZE, idText } from "../core/types/id.js"
import type { Store } from "../store/store.js"

/** Makes the ID of a new private chain or fork. */
export const newChainID = (): string => idText(toHex(randomBytes(ID_SIZE)) as ID)

/** Returns the identity of the chain in a store; `undefined` if it has no chain. */
export function storedIdentity(store: Pick<Store, "getMeta">): ChainIdentity | undefined {
  const text = store.getMeta("identity")
  return text === undefined ? undefined : parseIdentity(text)
}

/** Returns whether the chain of a store is a private chain, a fork, or a copy of one. */
export function isMadeByOneNode(store: Pick<Store, "getMeta">): boolean {
  const identity = storedIdentity(store)
  return identity !== undefined && identity.id !== networkChainIDOf(store)
}

/** Returns the header of the copies of the chain in a store. */
export function copyHeaderOf(store: Pick<Store, "getMeta">): CopyHeader {
  const networkID = store.getMeta("networkID") ?? 0
  const [rules, upgrades] = [parseJson(store.getMeta("rules") ?? "{}"), parseJson(store.getMeta("upgrades") ?? "{}")]
  const identity = storedIdentity(store) ?? { kind: "followed", id: networkChainIDOf(store) }
  return { ...identity, networkID, rules: rules as Record<string, string>, upgrades }
}

/** Returns the ID that the chain of a store has if it is a network's. */
export function networkChainIDOf(store: Pick<Store, "getMeta">): string {
  const [networkID, genesisID] = [store.getMeta("networkID"), store.getMeta("genesisID")]
  if (networkID === undefined || genesisID === undefined) throw new Error("the store has a chain but no genesis")
  return networkChainID(networkID, genesisID)
}
