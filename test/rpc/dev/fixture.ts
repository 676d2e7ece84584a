import { encode } from "../../../src/core/codec/decode.js"
import { toHex } from "../../../src/core/lib/bytes.js"
import { AVAX } from "../../../src/core/networks/params.js"
import { signedTxOf, type Tx } from "../../../src/core/txs/tx.js"
import { topLevelUnsignedTx, type UnsignedTx } from "../../../src/core/txs/unsignedTx.js"
import { type Address, addressText } from "../../../src/core/types/address.js"
import { toHexText } from "../../../src/core/types/hexText.js"
import { idText, type NodeID, nodeIDText, P_CHAIN_ID, PRIMARY_NETWORK_ID, parseID } from "../../../src/core/types/id.js"
import { unsignedMessage } from "../../../src/core/types/warp/message.js"
import { encodePayload } from "../../../src/core/types/warp/payload.js"
import type { Dialect } from "../../../src/jsonrpc/schema/param.js"
import { bls } from "../../../src/platform/backends.js"
import { accountsOf } from "../../../src/producer/keys/accounts.js"
import { blankTx } from "../../../src/producer/keys/credentials.js"
import { TestWallet } from "../../fixtures/testWallet.js"
import { type RunningNode, startRunningNode } from "../methods/runningNode.js"

/** The first time of these chains' clocks, Unix seconds: 2030-03-17T17:46:40Z. */
export const START = 1_900_000_000n
export const DAY = 86_400

/** An address that owns nothing. */
export const STRANGER = addressText("ab".repeat(20) as Address, "local")

/** Converts a bigint to the form of a parsed answer: a number, or a bigint if it is too large for one. */
export const jsonNumber = (value: bigint): number | bigint => (value > BigInt(Number.MAX_SAFE_INTEGER) ? value : Number(value))

export const keys = accountsOf({ count: 4 })

/** An account's address. */
export const account = (index: number) => addressText(keys[index]!.address, "local")

/** A private chain of four funded accounts with a frozen clock: two such chains have the same IDs. */
export function startDevNode(dialect: Dialect, changes: Parameters<typeof startRunningNode>[1] = {}): Promise<RunningNode> {
  return startRunningNode(dialect, {
    choice: { now: START },
    producer: { startTime: START, isFrozen: true, accounts: { count: keys.length } },
    wall: () => Number(START) * 1000,
    ...changes,
  })
}

/** An account's transaction with its ID and forms. */
export interface AccountTx {
  readonly tx: Tx
  readonly id: string
  /** With a checksum, as the API writes it. */
  readonly hex: string
  /** The same without signatures. */
  readonly unsigned: string
  /** The same with empty signatures. */
  readonly forged: string
}

/** A transaction of an account, valid on the chain as it is now. */
export function written(
  { chain }: RunningNode,
  index: number,
  kind: UnsignedTx["kind"] = "BaseTx",
  fields: object = {},
  amount = 0n,
): AccountTx {
  const tx = new TestWallet(chain.privateChain!, keys[index]!).make(kind, fields as never, amount)
  return {
    tx,
    id: idText(tx.id),
    hex: toHexText(tx.bytes),
    unsigned: `0x${toHex(encode(topLevelUnsignedTx, tx.unsignedTx))}`,
    forged: toHexText(blankTx(tx.unsignedTx).bytes),
  }
}

export type DevFixture = Awaited<ReturnType<typeof openDevFixture>>

/** A node of each dialect with the same chain, and the facts about it. */
export async function openDevFixture() {
  const nodes = { contract: await startDevNode("contract"), avalanchego: await startDevNode("avalanchego") }
  const { data } = nodes.contract.chain
  const owner = { kind: "OutputOwners", locktime: 0n, threshold: 1, addresses: [keys[2]!.address] }
  return {
    nodes,
    /** A payment of each account to itself. */
    payments: keys.map((_, index) => written(nodes.contract, index)),
    subnet: written(nodes.contract, 2, "CreateSubnetTx", { owner }),
    five: data.genesis.body().validators.map(({ unsignedTx }) => nodeIDText(unsignedTx.validator.nodeID)),
    /** A validator whose BLS key the node does not hold. */
    stranger: strangeValidator(nodes.contract),
    /** The validator that dev.addValidators adds first, and the decision on its reward. */
    aborted: await firstAdded(nodes.contract),
    /** The L1 that dev.createL1 makes first, and the keys that dev.newIdentity makes first. */
    l1: await firstL1(nodes.contract),
    message: (networkID = 12345, sourceChainID = P_CHAIN_ID) =>
      `0x${toHex(encode(unsignedMessage, { networkID, sourceChainID, payload: hashPayload }))}`,
  }
}

const hashPayload = encodePayload({ kind: "Hash", hash: "ab".repeat(32) as never })

/** Makes a transaction that adds a validator whose BLS key the node does not have. */
function strangeValidator(node: RunningNode): AccountTx & { readonly nodeID: string } {
  const secret = new Uint8Array(32).fill(9)
  const nodeID = "ee".repeat(20) as NodeID
  const weight = 2_000n * AVAX
  const owner = { kind: "OutputOwners", locktime: 0n, threshold: 1, addresses: [keys[3]!.address] }
  const stake = { assetID: node.chain.data.rules.avaxAssetID, output: { ...owner, kind: "TransferOutput", amount: weight } }
  const fields = {
    validator: { nodeID, start: 0n, end: START + 30n * BigInt(DAY), weight },
    subnetID: PRIMARY_NETWORK_ID,
    signer: { kind: "ProofOfPossession", publicKey: bls().publicKey(secret), proofOfPossession: bls().signPossession(secret) },
    stake: [stake],
    validationRewardsOwner: owner,
    delegationRewardsOwner: owner,
    shares: 20_000,
  }
  return { nodeID: nodeIDText(nodeID), ...written(node, 3, "AddPermissionlessValidatorTx", fields, weight) }
}

async function firstAdded(node: RunningNode): Promise<{ readonly nodeID: string; readonly txID: string }> {
  const { nodeIDs, txIDs } = await node.call<{ nodeIDs: string[]; txIDs: string[] }>("dev.addValidators", {
    count: 1,
    duration: DAY,
  })
  await node.call("dev.reset")
  const decision = signedTxOf({ kind: "RewardValidatorTx", txID: parseID(txIDs[0]!) }, [])
  return { nodeID: nodeIDs[0]!, txID: idText(decision.id) }
}

async function firstL1(
  node: RunningNode,
): Promise<{ readonly subnetID: string; readonly chainID: string; readonly validationID: string; readonly node: NodeKeys }> {
  const { secret: _, ...keys } = await node.call<NodeKeys & { secret: string }>("dev.newIdentity")
  await node.call("dev.reset")
  const { subnetID, chainID, validators } = await node.call<{
    subnetID: string
    chainID: string
    validators: { validationID: string }[]
  }>("dev.createL1")
  await node.call("dev.reset")
  return { subnetID, chainID, validationID: validators[0]!.validationID, node: keys }
}

/** The keys of a node that dev.registerL1Validator takes. */
interface NodeKeys {
  readonly nodeID: string
  readonly publicKey: string
  readonly proofOfPossession: string
}
