import { createHash } from "node:crypto"
import { blockOf } from "../../core/blocks/block.js"
import { decodeGenesis, type Genesis } from "../../core/genesis/genesis.js"
import { parseJson } from "../../core/lib/parseJson.js"
import type { ID } from "../../core/types/id.js"
import { builtInValidators } from "../../producer/schedule/renewal.js"
import type { Store } from "../../store/store.js"

/** The facts about a genesis that a start needs. Decoding 100,000 UTXOs for them would take a third of a second. */
interface GenesisFacts extends Pick<Genesis, "id" | "networkID" | "avaxAssetID" | "xChainID" | "cChainID"> {
  /** The ID of the genesis block that the facts belong to. */
  readonly blockID: ID
  /** The time of the genesis, Unix seconds. */
  readonly timestamp: string
  /** SHA-256 of the genesis file from which the chain was created. */
  readonly file?: string
  /** True if the genesis has one of the built-in validators (`builtInValidators`). */
  readonly hasBuiltInValidators: boolean
}

/** Prints the facts about a genesis for the store, with those of its genesis file if there is one. */
export function genesisFactsText(genesis: Genesis, fileText?: string): string {
  const { block, id, networkID, avaxAssetID, xChainID, cChainID, timestamp } = genesis
  const facts: GenesisFacts = {
    blockID: block.id,
    id,
    networkID,
    avaxAssetID,
    xChainID,
    cChainID,
    timestamp: String(timestamp),
    hasBuiltInValidators: builtInValidators(genesis).length > 0,
    ...(fileText === undefined ? {} : { file: fileHash(fileText) }),
  }
  return JSON.stringify(facts)
}

const fileHash = (text: string): string => createHash("sha256").update(text).digest("hex")

/** Returns the facts about the genesis in a store; `undefined` if they belong to another one, or were never written. */
function factsIn(store: Store): GenesisFacts | undefined {
  const text = store.getMeta("genesisFacts")
  const facts = text === undefined ? undefined : (parseJson(text) as unknown as GenesisFacts)
  return facts?.blockID === store.getMeta("genesisID") ? facts : undefined
}

/** Records in a store that its chain was created from the same genesis file as the chain of another one. */
export function keepGenesisFile(store: Store, of: Store): void {
  const [own, file] = [factsIn(store), factsIn(of)?.file]
  if (own && file !== undefined) store.putMeta({ genesisFacts: JSON.stringify({ ...own, file }) })
}

/** Returns whether the chain of a store was created from a genesis file with exactly this text. */
export function isOfGenesisFile(store: Store, text: string): boolean {
  const file = factsIn(store)?.file
  return file !== undefined && file === fileHash(text)
}

/** Returns whether a genesis has one of the built-in validators. */
export function hasBuiltInValidators(store: Store, genesis: Genesis): boolean {
  return factsIn(store)?.hasBuiltInValidators ?? builtInValidators(genesis).length > 0
}

/**
 * Returns the genesis of the chain in a store. Its bytes are read once, when they or its body is first asked for. A caller that puts another
 * chain into the store and needs this one later asks for them before.
 */
export function storedGenesis(store: Store): Genesis {
  const facts = factsIn(store)
  if (!facts) return decodeGenesis(bytesIn(store))
  const { id, networkID, avaxAssetID, xChainID, cChainID, timestamp } = facts
  const bytes = once(() => bytesOf(store, facts))
  return {
    id,
    networkID,
    avaxAssetID,
    xChainID,
    cChainID,
    timestamp: BigInt(timestamp),
    block: blockOf({ kind: "ApricotCommitBlock", parentID: id, height: 0n }) as Genesis["block"],
    bytes,
    body: once(() => decodeGenesis(bytes()).body()),
  }
}

/** Returns a function that computes its result when it is first called. */
function once<T>(compute: () => T): () => T {
  let computed: { readonly value: T } | undefined
  return () => {
    computed ??= { value: compute() }
    return computed.value
  }
}

function bytesOf(store: Store, { blockID }: GenesisFacts): Uint8Array {
  if (store.getMeta("genesisID") !== blockID) throw new Error("the store has another chain, whose genesis is not this one")
  return bytesIn(store)
}

function bytesIn(store: Store): Uint8Array {
  const bytes = store.getMeta("genesis")
  if (!bytes) throw new Error("the store has a chain but no genesis")
  return bytes
}
