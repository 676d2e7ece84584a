import { ewoq } from "../../src/core/genesis/testKeys.js"
import type { Rules } from "../../src/core/rules/context.js"
import type { Tx } from "../../src/core/txs/tx.js"
import type { UnsignedTx } from "../../src/core/txs/unsignedTx.js"
import { P_CHAIN_ID } from "../../src/core/types/id.js"
import type { TransferInput } from "../../src/core/types/input.js"
import { compareOutputs, type Output, type TransferOutput } from "../../src/core/types/output.js"
import { signTx } from "../../src/producer/keys/credentials.js"
import { keyOfTest } from "../../src/producer/keys/key.js"
import { changeOf } from "../fixtures/longChain.js"
import { ewoqOutput, type Unspent } from "../fixtures/spendUnspent.js"

/** More than the fee of one of these payments at the lowest price. */
const FEE = 10_000n

/** How an output is locked: by its owners, or by a stakeable lock, which the input that spends it may repeat. */
export const lockKinds = ["owners", "stakeable", "repeated"] as const

/** A lock until a time, Unix seconds. A node refuses to spend the output before by its clock. */
export interface Lock {
  readonly kind: (typeof lockKinds)[number]
  readonly until: bigint
}

/** A UTXO of `ewoq` that may be locked. */
export interface LockedUnspent extends Unspent {
  readonly lock?: Lock | undefined
}

/** What differs between these payments. */
export interface LockedPaymentOptions {
  /** The lock on the change; by default there is none. */
  readonly lock?: Lock | undefined
  /** The amount of the other output, nAVAX. */
  readonly paid?: bigint
  readonly sign?: (unsigned: UnsignedTx) => Tx
}

/** Makes a payment of `ewoq` to itself. */
export function lockedPayment(
  unspent: LockedUnspent,
  { networkID, avaxAssetID: assetID }: Pick<Rules, "networkID" | "avaxAssetID">,
  { lock, paid = 1n, sign = signAsEwoq }: LockedPaymentOptions,
): Tx {
  const { txID, outputIndex, amount } = unspent
  const change = ewoqOutput(amount - FEE - paid, assetID).output as TransferOutput
  const outputs = [ewoqOutput(paid, assetID), { assetID, output: lock ? lockedOutput(change, lock) : change }].sort(
    compareOutputs,
  )
  const input: TransferInput = { kind: "TransferInput", amount, signatureIndices: [0] }
  const inputs = [
    { txID, outputIndex, assetID, input: unspent.lock?.kind === "repeated" ? lockedInput(input, unspent.lock) : input },
  ]
  return sign({ kind: "BaseTx", networkID, blockchainID: P_CHAIN_ID, outputs, inputs, memo: new Uint8Array(0) })
}

/** The change of such a payment. */
export const lockedChangeOf = (tx: Tx, lock: Lock | undefined): LockedUnspent => ({ ...changeOf(tx), lock })

const signAsEwoq = (unsigned: UnsignedTx): Tx => signTx(unsigned, keyOfTest(ewoq))

function lockedOutput(output: TransferOutput, { kind, until }: Lock): Output {
  return kind === "owners" ? { ...output, locktime: until } : { kind: "LockOut", locktime: until, output }
}

const lockedInput = (input: TransferInput, { until }: Lock) => ({ kind: "LockIn" as const, locktime: until, input })
