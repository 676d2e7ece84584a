import type { UnsignedTx } from "../../core/txs/unsignedTx.js"
import { P_CHAIN_ID } from "../../core/types/id.js"
import { compareInputs, type TransferableInput, unlockedInput } from "../../core/types/input.js"
import { compareOutputs, innerOutput, type TransferableOutput } from "../../core/types/output.js"
import type { Utxo } from "../../core/types/utxo.js"

/** Fields of a transaction: its inputs, and the change as an output. */
export interface Parts {
  readonly networkID: number
  readonly blockchainID: typeof P_CHAIN_ID
  readonly inputs: readonly TransferableInput[]
  /** The outputs, sorted, with the change. */
  readonly outputs: readonly TransferableOutput[]
  readonly memo: Uint8Array
}

/** A payment: the amount that leaves the purse besides the fee, and its transaction. */
export interface Payment {
  /** The amount in nAVAX, including `outputs` and stake. */
  readonly amount: bigint
  readonly outputs?: readonly TransferableOutput[]
  make(parts: Parts): UnsignedTx
}

/** The funds of a payment. */
export interface PaymentSource {
  readonly networkID: number
  /** Inputs that may pay, in the order in which they are taken. */
  readonly inputs: readonly TransferableInput[]
  /** What the transaction has besides these inputs, nAVAX: imports. */
  readonly given?: bigint
  /** Returns the output to which the change (nAVAX) goes. */
  changeOf(amount: bigint): TransferableOutput
  /** Returns the fee of the transaction, nAVAX. */
  feeOf(tx: UnsignedTx): bigint
}

/** Makes a transaction that as few of the first inputs pay as it needs, with its change. Returns `undefined` if all of them are too little. */
export function unsignedPayment(
  { amount, outputs = [], make }: Payment,
  { networkID, inputs, given = 0n, changeOf, feeOf }: PaymentSource,
): UnsignedTx | undefined {
  let total = given
  for (let count = 0; count <= inputs.length; count++) {
    if (count > 0) total += unlockedInput((inputs[count - 1] as TransferableInput).input).amount
    if (total === 0n || total < amount) continue
    const unsignedWith = (change: bigint) => {
      const all = change === 0n ? outputs : [...outputs, changeOf(change)]
      return make(partsOf(networkID, inputs.slice(0, count), all))
    }
    const change = total - amount - feeOf(unsignedWith(1n))
    if (change > 0n) return unsignedWith(change)
    // The change is too little for an output, so it is added to the fee.
    if (total - amount >= feeOf(unsignedWith(0n))) return unsignedWith(0n)
  }
  return undefined
}

export function partsOf(networkID: number, inputs: readonly TransferableInput[], outputs: readonly TransferableOutput[]): Parts {
  return {
    networkID,
    blockchainID: P_CHAIN_ID,
    inputs: inputs.toSorted(compareInputs),
    outputs: outputs.toSorted(compareOutputs),
    memo: new Uint8Array(0),
  }
}

/** Returns the input that spends a UTXO, with the signatures of these of its owners. */
export function inputOfUtxo(
  { txID, outputIndex, assetID, output }: Utxo,
  signatureIndices: readonly number[],
): TransferableInput {
  const { amount } = innerOutput(output)
  const input = { kind: "TransferInput" as const, amount, signatureIndices: [...signatureIndices] }
  return {
    txID,
    outputIndex,
    assetID,
    input: output.kind === "LockOut" ? { kind: "LockIn", locktime: output.locktime, input } : input,
  }
}
