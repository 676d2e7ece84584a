import { blockOf, decodeBlock, txsOf } from "../../../src/core/blocks/block.js"
import { decode, encode, versioned } from "../../../src/core/codec/decode.js"
import { genesisBytes, MAX_GENESIS_SIZE } from "../../../src/core/genesis/genesis.js"
import { equalBytes, latin1Bytes, toHex } from "../../../src/core/lib/bytes.js"
import { decodeTx, signedTxOf, type Tx } from "../../../src/core/txs/tx.js"
import { checkTx, type UnsignedTx } from "../../../src/core/txs/unsignedTx.js"
import type { ID } from "../../../src/core/types/id.js"
import { checkOwner, owner } from "../../../src/core/types/owners.js"
import { decodeUtxo, topLevelUtxo, utxoID } from "../../../src/core/types/utxo.js"
import type { Verifiable } from "../../../src/core/types/verifiable.js"
import { crypto } from "../../../src/platform/backends.js"
import { passes, type ReadFacts, refusalText, sha256Text } from "./facts.js"

/** Genesis bytes, and what is in them, have another limit of their size. */
const OF_GENESIS = { maxSize: MAX_GENESIS_SIZE }

export const readBlock: ReadFacts = (facts, bytes) => {
  facts.genesis_codec = passes(() => decodeBlock(bytes, OF_GENESIS))
  const block = decodeBlock(bytes)
  Object.assign(facts, {
    kind: block.kind,
    id: block.id,
    parent: block.parentID,
    height: `${block.height}`,
    txs: txsOf(block).map(txText),
    canonical: equalBytes(blockOf(block).bytes, bytes),
  })
  if ("time" in block) facts.time = `${block.time}`
}

/** The kind of a transaction and its ID. */
export const txText = ({ unsignedTx: { kind }, id }: Tx): string => `${kind} ${id}`

export const readTx: ReadFacts = (facts, bytes) => {
  facts.genesis_codec = passes(() => decodeTx(bytes, OF_GENESIS))
  const tx = decodeTx(bytes)
  const { unsignedTx, credentials, unsignedSize } = tx
  Object.assign(facts, {
    kind: unsignedTx.kind,
    id: tx.id,
    unsigned: sha256Text(bytes.subarray(0, unsignedSize)),
    unsigned_size: unsignedSize,
    inputs: inputsOf(unsignedTx),
    outputs: "outputs" in unsignedTx ? unsignedTx.outputs.length : 0,
    credentials: credentials.map(goNameOf),
    canonical: equalBytes(signedTxOf(unsignedTx, credentials).bytes, bytes),
    syntactic: refusalText(() => checkTx(unsignedTx, { crypto, networkID: 12345, avaxAssetID: "01".repeat(32) as ID })),
  })
}

/** AvalancheGo's name of the type of a credential. */
function goNameOf(value: Verifiable): string {
  if (value.kind === "MisplacedTx") return value.typeName.replace(/.*\./, "")
  return value.kind === "EmptySigner" ? "Empty" : value.kind
}

/** The number of different UTXOs that a transaction spends. */
function inputsOf(tx: UnsignedTx): number {
  const inputs = [...("inputs" in tx ? tx.inputs : []), ...("importedInputs" in tx ? tx.importedInputs : [])]
  return new Set(inputs.map(({ txID, outputIndex }) => utxoID(txID, outputIndex))).size
}

export const readGenesis: ReadFacts = (facts, bytes) => {
  const genesis = decode(genesisBytes, bytes, OF_GENESIS)
  Object.assign(facts, {
    utxos: genesis.utxos.length,
    validators: genesis.validators.map(txText),
    chains: genesis.chains.map(txText),
    time: `${genesis.timestamp}`,
    supply: `${genesis.initialSupply}`,
    message: toHex(latin1Bytes(genesis.message)),
    canonical: equalBytes(encode(genesisBytes, genesis), bytes),
  })
}

export const readUtxo: ReadFacts = (facts, bytes) => {
  const utxo = decodeUtxo(bytes)
  Object.assign(facts, {
    id: utxoID(utxo.txID, utxo.outputIndex),
    tx: utxo.txID,
    index: utxo.outputIndex,
    asset: utxo.assetID,
    kind: utxo.output.kind,
    canonical: equalBytes(encode(topLevelUtxo, utxo), bytes),
  })
}

const topLevelOwner = versioned(owner)

export const readOwners: ReadFacts = (facts, bytes) => {
  const value = decode(topLevelOwner, bytes)
  Object.assign(facts, {
    kind: value.kind,
    locktime: `${value.locktime}`,
    threshold: value.threshold,
    addresses: value.addresses,
    verified: refusalText(() => checkOwner(value)),
    canonical: equalBytes(encode(topLevelOwner, value), bytes),
  })
}
