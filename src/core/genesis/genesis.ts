import { type Block, blockOf } from "../blocks/block.js"
import { decode, encode, versioned } from "../codec/decode.js"
import { list } from "../codec/list.js"
import { bytes, str, u64 } from "../codec/primitives.js"
import type { TypeOf } from "../codec/schema.js"
import { struct } from "../codec/struct.js"
import { toJson } from "../codec/valueSink.js"
import { sha256Hex } from "../crypto/hash.js"
import { utf8 } from "../lib/bytes.js"
import { type Tx, tx } from "../txs/tx.js"
import type { TxKind, UnsignedTx } from "../txs/unsignedTx.js"
import { type ID, idOfName, idText } from "../types/id.js"
import { utxo } from "../types/utxo.js"
import { genesisError } from "./errors.js"
import { avaxAssetIDOf } from "./xChain.js"

/** The X-Chain's VM. */
export const AVM_ID = idOfName("avm")
/** The C-Chain's VM. */
export const EVM_ID = idOfName("evm")

/** The maximum size of genesis bytes. The limit of transactions and blocks does not apply to them. */
export const MAX_GENESIS_SIZE = 2 ** 31 - 1

/** A UTXO of the genesis. The message does not become part of the state. */
const genesisUtxo = struct({ ...utxo.fields, message: bytes })
export type GenesisUtxo = TypeOf<typeof genesisUtxo>

/** The P-Chain's genesis bytes, from which all its nodes start. */
export const genesisBytes = versioned(
  struct({
    utxos: list(genesisUtxo),
    validators: list(tx),
    chains: list(tx),
    timestamp: u64,
    initialSupply: u64,
    message: str,
  }),
)

type TxOfKind<K extends TxKind> = Tx & { readonly unsignedTx: Extract<UnsignedTx, { kind: K }> }
export type GenesisValidator = TxOfKind<"AddValidatorTx"> | TxOfKind<"AddPermissionlessValidatorTx">
export type GenesisChain = TxOfKind<"CreateChainTx">

export interface GenesisBody {
  readonly utxos: readonly GenesisUtxo[]
  /** The validators in the order of the bytes, on which potential rewards depend. */
  readonly validators: readonly GenesisValidator[]
  readonly chains: readonly GenesisChain[]
  /** The chain's first time, in Unix seconds. */
  readonly timestamp: bigint
  /** The supply on all chains, before potential rewards, nAVAX. */
  readonly initialSupply: bigint
  readonly message: string
}

/** A network's genesis: what nearly every start needs of it, and functions that return the rest, which a node reads and decodes when it is needed. */
export interface Genesis {
  bytes(): Uint8Array
  body(): GenesisBody
  /** SHA-256 of the bytes: the genesis block's parent. */
  readonly id: ID
  /** The chain's first time, in Unix seconds. */
  readonly timestamp: bigint
  /** The block at height 0. */
  readonly block: Extract<Block, { kind: "ApricotCommitBlock" }>
  readonly networkID: number
  readonly avaxAssetID: ID
  readonly xChainID: ID
  readonly cChainID: ID
}

/** Decodes a genesis. Throws `codec.*` and `genesis.*`. */
export function decodeGenesis(raw: Uint8Array): Genesis {
  const body = decode(genesisBytes, raw, { maxSize: MAX_GENESIS_SIZE })
  const validators = body.validators.map((each) =>
    requireKind<GenesisValidator>(each, ["AddValidatorTx", "AddPermissionlessValidatorTx"]),
  )
  const chains = body.chains.map((each) => requireKind<GenesisChain>(each, ["CreateChainTx"]))
  return withIDs({ ...body, validators, chains, message: toJson(str, body.message, {}) }, raw)
}

export function genesisOf(body: GenesisBody, hash = sha256Hex): Genesis {
  const size = utf8(body.message).length
  if (size > 0xffff) throw genesisError("genesis.message_too_long", { size })
  return withIDs(body, encode(genesisBytes, { ...body, message: str.fromJson(body.message, {}) }, expectedSizeOf(body)), hash)
}

/** Bytes of most UTXOs of a genesis, and a little more than those of most validators and chains. */
const [UTXO_BYTES, TX_BYTES] = [144, 1024]

function expectedSizeOf({ utxos, validators, chains }: GenesisBody): number {
  return utxos.length * UTXO_BYTES + (validators.length + chains.length) * TX_BYTES
}

function withIDs(body: GenesisBody, raw: Uint8Array, hash = sha256Hex): Genesis {
  const id = hash(raw) as ID
  const xChain = requireChain(body.chains, AVM_ID)
  return {
    bytes: () => raw,
    body: () => body,
    id,
    timestamp: body.timestamp,
    block: blockOf({ kind: "ApricotCommitBlock", parentID: id, height: 0n }) as Genesis["block"],
    networkID: xChain.unsignedTx.networkID,
    avaxAssetID: avaxAssetIDOf(xChain.unsignedTx.genesisData),
    xChainID: xChain.id,
    cChainID: requireChain(body.chains, EVM_ID).id,
  }
}

function requireChain(chains: readonly GenesisChain[], vmID: ID): GenesisChain {
  const found = chains.find(({ unsignedTx }) => unsignedTx.vmID === vmID)
  if (!found) throw genesisError("genesis.no_chain", { vmID: idText(vmID) })
  return found
}

function requireKind<T extends Tx>(each: Tx, kinds: readonly T["unsignedTx"]["kind"][]): T {
  const { kind } = each.unsignedTx
  if (!kinds.includes(kind)) throw genesisError("genesis.misplaced_tx", { kind, expected: kinds })
  return each as T
}
