import { blockOf } from "../core/blocks/block.js"
import { sha256Hex } from "../core/crypto/hash.js"
import { decodeGenesis, type Genesis } from "../core/genesis/genesis.js"
import { utf8 } from "../core/lib/bytes.js"
import type { ID } from "../core/types/id.js"
import type { Store } from "../store/store.js"

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
}

/** Prints the facts about a genesis for the store. `fileText` is the text of its genesis file, if there is one. */
export function genesisFactsText(genesis: Genesis, fileText: string | undefined): string {
  const { block, id, networkID, avaxAssetID, xChainID, cChainID, timestamp } = genesis
  const facts: GenesisFacts = {
    ...{ blockID: block.id, id, networkID, avaxAssetID, xChainID, cChainID, timestamp: String(timestamp) },
    ...(fileText === undefined ? {} : { file: sha256Hex(utf8(fileText)) }),
  }
  return JSON.stringify(facts)
}

/** Returns the facts about the genesis in a store; `undefined` if they belong to another one, or were never written. */
function factsIn(store: Store): GenesisFacts | undefined {
  const text = store.getMeta("genesisFacts")
  const facts = text === undefined ? undefined : (JSON.parse(text) as GenesisFacts)
  return facts?.blockID === store.getMeta("genesisID") ? facts : undefined
}

/** Returns whether the chain of a store was created from a genesis file with exactly this text. */
export function isOfGenesisFile(store: Store, fileText: string): boolean {
  const file = factsIn(store)?.file
  return file !== undefined && file === sha256Hex(utf8(fileText))
}

/** Returns the genesis of the chain in a store. It is decoded when more than its IDs and its time is needed. */
export function storedGenesis(store: Store): Genesis {
  const facts = factsIn(store)
  // The bytes are read now, because the store may have another chain later.
  const bytes = bytesIn(store)
  if (!facts) return decodeGenesis(bytes)
  let decoded: Genesis | undefined
  const whole = () => {
    decoded ??= decodeGenesis(bytes)
    return decoded
  }
  const { id, networkID, avaxAssetID, xChainID, cChainID, timestamp } = facts
  return {
    ...{ id, networkID, avaxAssetID, xChainID, cChainID, timestamp: BigInt(timestamp) },
    block: blockOf({ kind: "ApricotCommitBlock", parentID: id, height: 0n }) as Genesis["block"],
    bytes,
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

function bytesIn(store: Store): Uint8Array {
  const bytes = store.getMeta("genesis")
  if (!bytes) throw new Error("the store has a chain but no genesis")
  return bytes
}
