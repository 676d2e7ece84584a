import { blockOf } from "../../core/blocks/block.js"
import { sha256Hex } from "../../core/crypto/hash.js"
import { decodeGenesis, type Genesis } from "../../core/genesis/genesis.js"
import { utf8 } from "../../core/lib/bytes.js"
import type { ID } from "../../core/types/id.js"
import { builtInValidators } from "../../producer/schedule/renewal.js"
import type { Store } from "../../store/store.js"
import { type GenesisFile, genesisTextIn, markIn } from "./genesisFile.js"

/** The facts about a genesis that a start needs. Decoding 100,000 UTXOs for them would take a third of a second. */
interface GenesisFacts {
  /** The ID of the genesis block that the facts belong to. */
  readonly blockID: ID
  readonly id: ID
  readonly networkID: number
  readonly avaxAssetID: ID
  readonly xChainID: ID
  readonly cChainID: ID
  /** The time of the genesis, Unix seconds. */
  readonly timestamp: string
  /** SHA-256 of the genesis file from which the chain was created. */
  readonly file?: string
  /** The mark of that file when it was last compared. */
  readonly mark?: string | undefined
  /** True if the genesis has one of the built-in validators (`builtInValidators`). */
  readonly hasBuiltInValidators: boolean
}

/** Facts about a new genesis that its bytes do not contain. */
interface NewGenesisFacts extends Pick<GenesisFacts, "mark"> {
  /** The text of its genesis file, if there is one. */
  readonly fileText?: string | undefined
}

/** Prints the facts about a genesis for the store. */
export function genesisFactsText(genesis: Genesis, { fileText, ...more }: NewGenesisFacts): string {
  const { block, id, networkID, avaxAssetID, xChainID, cChainID, timestamp } = genesis
  const facts: GenesisFacts = {
    ...{ blockID: block.id, id, networkID, avaxAssetID, xChainID, cChainID, timestamp: String(timestamp) },
    ...(fileText === undefined ? {} : { file: sha256Hex(utf8(fileText)) }),
    ...more,
    hasBuiltInValidators: builtInValidators(genesis).length > 0,
  }
  return JSON.stringify(facts)
}

/** Returns the facts about the genesis in a store; `undefined` if they belong to another one, or were never written. */
function factsIn(store: Store): GenesisFacts | undefined {
  const text = store.getMeta("genesisFacts")
  const facts = text === undefined ? undefined : (JSON.parse(text) as GenesisFacts)
  return facts?.blockID === store.getMeta("genesisID") ? facts : undefined
}

/**
 * Returns whether the chain of a store was created from a genesis file with exactly this text. A file that is the same as when it was last
 * compared is not read; the mark of another one with this text is kept for the next start.
 */
export function isOfGenesisFile(store: Store, given: string | GenesisFile): boolean {
  const facts = factsIn(store)
  if (facts?.file === undefined) return false
  const mark = markIn(given)
  if (mark !== undefined && mark === facts.mark) return true
  if (facts.file !== sha256Hex(utf8(genesisTextIn(given)))) return false
  if (mark !== undefined) store.putMeta({ genesisFacts: JSON.stringify({ ...facts, mark }) })
  return true
}

/** Returns whether a genesis has one of the built-in validators. */
export function hasBuiltInValidators(store: Store, genesis: Genesis): boolean {
  return factsIn(store)?.hasBuiltInValidators ?? builtInValidators(genesis).length > 0
}

/**
 * Returns the genesis of the chain in a store. It is read and decoded when more than its IDs and its time is needed. A caller that puts
 * another chain into the store and needs this one later reads `bytes` before.
 */
export function storedGenesis(store: Store): Genesis {
  const facts = factsIn(store)
  if (!facts) return decodeGenesis(bytesIn(store))
  let bytes: Uint8Array | undefined
  const read = () => {
    bytes ??= bytesOf(store, facts)
    return bytes
  }
  let decoded: Genesis | undefined
  const whole = () => {
    decoded ??= decodeGenesis(read())
    return decoded
  }
  const { id, networkID, avaxAssetID, xChainID, cChainID, timestamp } = facts
  return {
    ...{ id, networkID, avaxAssetID, xChainID, cChainID, timestamp: BigInt(timestamp) },
    block: blockOf({ kind: "ApricotCommitBlock", parentID: id, height: 0n }) as Genesis["block"],
    get bytes() {
      return read()
    },
    get utxos() {
      return whole().utxos
    },
    get validators() {
      return whole().validators
    },
    get chains() {
      return whole().chains
    },
    get initialSupply() {
      return whole().initialSupply
    },
    get message() {
      return whole().message
    },
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
