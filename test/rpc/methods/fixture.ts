import { type Block, decodeBlock } from "../../../src/core/blocks/block.js"
import { decode, encode } from "../../../src/core/codec/decode.js"
import { printRfc3339 } from "../../../src/core/lib/go/rfc3339.js"
import type { Json } from "../../../src/core/lib/json.js"
import { AVAX } from "../../../src/core/networks/params.js"
import { tables } from "../../../src/core/state/tables.js"
import type { View } from "../../../src/core/state/view.js"
import { signedTxOf, type Tx } from "../../../src/core/txs/tx.js"
import { type Address, addressText } from "../../../src/core/types/address.js"
import { fromHexText, toHexText } from "../../../src/core/types/hexText.js"
import { type ID, idText, type NodeID, nodeIDText } from "../../../src/core/types/id.js"
import { innerOutput } from "../../../src/core/types/output.js"
import type { ProofOfPossession } from "../../../src/core/types/signer.js"
import { topLevelUtxo, type Utxo, utxoID } from "../../../src/core/types/utxo.js"
import { addressOfByte, idOfByte } from "../../fixtures/txs.js"
import { BOB, bob } from "./cases/keystore.js"
import { type MadeChain, makeChain } from "./chain.js"
import { COIN, ownerOf, Payer } from "./payer.js"
import { type RunningNode, startRunningNode } from "./runningNode.js"
import { authorized, friend } from "./scenario/scenario.js"
import type { Call } from "./table.js"

/** Addresses, assets and chains as answers write them. */
export const FRIEND = "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"
export const PAYER = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"
/** An address that owns nothing. */
export const STRANGER = addressText(addressOfByte(0xab), "local")
export const AVAX_ID = "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe"
export const COIN_ID = idText(COIN)
export const EMPTY = "11111111111111111111111111111111LpoYY"
export const NOWHERE = idText(idOfByte(0xee))
export const X_CHAIN = "2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed"
export const C_CHAIN = "2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC"

export type Name = keyof MadeChain["txs"]
export type MethodsFixture = Awaited<ReturnType<typeof openMethodsFixture>>

/** A node of each dialect with the same chain, and the facts about it. */
export async function openMethodsFixture() {
  const contract = await startRunningNode("contract")
  const made = await makeChain(contract)
  const avalanchego = await startRunningNode("avalanchego", { loadState: await contract.chain.dumpState() })
  const nodes = { contract, avalanchego }
  for (const node of Object.values(nodes)) await node.call("keystore.importUser", { ...bob, user: BOB })
  return { nodes, made, ...namesOf(made, contract), ...unissued(contract, made.txs.open.id) }
}

function namesOf(made: MadeChain, node: RunningNode) {
  const { latest } = node.chain.privateChain!.options.store
  const { locals, keyless, stayer, members } = made.nodes
  return {
    /** The ID of a transaction that is known by a name. */
    id: (name: Name) => idText(made.txs[name].id),
    hex: (name: Name) => toHexText(made.txs[name].bytes),
    heightOf: (name: Name) => Number(latest.get(tables.txs, made.txs[name].id)!.height),
    blockAt(height: number): Block {
      const blockID = latest.get(tables.blockIDs, BigInt(height)) as ID
      return decodeBlock(latest.get(tables.blocks, blockID)!)
    },
    height: Number(latest.get(tables.lastAccepted, null)!.height),
    /** The ID of the transaction that decides on a staker's reward. */
    decisionOn: (name: Name) => idText(signedTxOf({ kind: "RewardValidatorTx", txID: made.txs[name].id }, []).id),
    /** The transaction of a genesis validator. */
    genesisTx: idText(node.chain.data.genesis.body().validators[0]!.id),
    locals: locals.map(nodeOf),
    keyless: nodeIDText(keyless),
    stayer: nodeOf({ ...stayer, signer: stayer }),
    /** The L1's first validators in the order of their IDs, then the one that was registered later, with their validation IDs. */
    members: members.map((each, i) => ({
      nodeID: nodeIDText(each.nodeID),
      publicKey: toHexText(each.publicKey, "hexnc"),
      validationID: idText(made.validations[i] as ID),
    })),
    /** An address's UTXOs in the order of their IDs. */
    ownedBy: (address: Address) => utxosIn(latest).filter(({ utxo }) => innerOutput(utxo.output).addresses.includes(address)),
    waiting: made.waiting.map((hex) => written(decode(topLevelUtxo, fromHexText(hex)))).sort(byID),
  }
}

function nodeOf({ nodeID, signer }: { nodeID: NodeID; signer?: ProofOfPossession | undefined }) {
  const { publicKey, proofOfPossession } = signer as ProofOfPossession
  const written = { publicKey: toHexText(publicKey, "hexnc"), proofOfPossession: toHexText(proofOfPossession, "hexnc") }
  return { nodeID: nodeIDText(nodeID), signer: written }
}

const byID = (a: { id: ID }, b: { id: ID }) => (a.id < b.id ? -1 : 1)

/** Every UTXO of the chain. */
function utxosIn(view: View) {
  return [...view.rows(tables.utxos)].map(([, utxo]) => written(utxo)).sort(byID)
}

/** A UTXO with its ID, as answers write them. */
export function written(utxo: Utxo) {
  const id = utxoID(utxo.txID, utxo.outputIndex)
  const bytes = encode(topLevelUtxo, utxo)
  return { utxo, id, utxoID: idText(id), hex: toHexText(bytes), hexnc: toHexText(bytes, "hexnc") }
}

/**
 * Transactions that the chain accepts at its end, one by one, and two that it refuses: a payment of nothing, and a CreateChainTx on a subnet that
 * was opened.
 */
function unissued(node: RunningNode, subnetID: ID) {
  const purse = new Payer(node)
  const payment = purse.make("BaseTx", {})
  const rival = purse.make("BaseTx", {}, { outputs: [purse.output(AVAX, ownerOf(friend))] })
  const empty = purse.make("BaseTx", {}, { outputs: [purse.output(0n, ownerOf(friend))] })
  const made = { subnetID, chainName: "Waiting", vmID: idOfByte(1), fxIDs: [], genesisData: new Uint8Array(0) }
  const chain = purse.make("CreateChainTx", { ...made, ...authorized })
  return { unissued: { payment: toSend(payment), rival: toSend(rival), empty: toSend(empty), chain: toSend(chain) } }
}

/** A transaction, and the calls that leave it waiting for a block. */
function toSend({ id, bytes, unsignedTx }: Tx) {
  const hex = toHexText(bytes)
  const waits: readonly Call[] = [
    ["dev.setBlockMode", { mode: "manual" }],
    ["platform.issueTx", { tx: hex }],
  ]
  return { id: idText(id), bytes, hex, unsignedTx, waits }
}

/** An owner as answers print it. */
export const ownerJson = (...addresses: readonly string[]): Json => ({ locktime: "0", threshold: "1", addresses })

export const time = printRfc3339
