import { encode } from "../../src/core/codec/decode.js"
import { secp256k1 } from "../../src/core/crypto/backends.js"
import { sha256 } from "../../src/core/crypto/hash.js"
import { ewoq } from "../../src/core/genesis/testKeys.js"
import { AVAX } from "../../src/core/networks/params.js"
import type { Rules } from "../../src/core/rules/context.js"
import { signedTxOf, type Tx } from "../../src/core/txs/tx.js"
import { topLevelUnsignedTx, type UnsignedTx } from "../../src/core/txs/unsignedTx.js"
import { P_CHAIN_ID, PRIMARY_NETWORK_ID, parseNodeID } from "../../src/core/types/id.js"
import { parsePrivateKey } from "../../src/core/types/privateKey.js"
import type { Unspent } from "../fixtures/longChain.js"

/** Much more than the transaction costs. */
const FEE = 1_000_000n
const STAKE = 1_000n * AVAX

/** Delegates 1,000 AVAX of `ewoq` to a validator until a time in Unix seconds; the change is the first output. */
export function delegation({ txID, outputIndex, amount }: Unspent, rules: Rules, nodeID: string, end: bigint): Tx {
  const owner = { locktime: 0n, threshold: 1, addresses: [ewoq.address] }
  const assetID = rules.avaxAssetID
  const output = (value: bigint) => ({ assetID, output: { kind: "TransferOutput" as const, amount: value, ...owner } })
  const unsigned: UnsignedTx = {
    kind: "AddPermissionlessDelegatorTx",
    networkID: rules.networkID,
    blockchainID: P_CHAIN_ID,
    outputs: [output(amount - STAKE - FEE)],
    inputs: [{ txID, outputIndex, assetID, input: { kind: "TransferInput", amount, signatureIndices: [0] } }],
    memo: new Uint8Array(0),
    validator: { nodeID: parseNodeID(nodeID), start: 0n, end, weight: STAKE },
    subnetID: PRIMARY_NETWORK_ID,
    stake: [output(STAKE)],
    rewardsOwner: { kind: "OutputOwners", ...owner },
  }
  const hash = sha256(encode(topLevelUnsignedTx, unsigned))
  return signedTxOf(unsigned, [{ kind: "Credential", signatures: [secp256k1().sign(hash, parsePrivateKey(ewoq.privateKey))] }])
}

/** The change of the output that a delegation spent. */
export function changeOfDelegation(tx: Tx, spent: Unspent): Unspent {
  return { txID: tx.id, outputIndex: 0, amount: spent.amount - STAKE - FEE }
}
