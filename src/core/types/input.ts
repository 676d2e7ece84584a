import { list } from "../codec/list.js"
import { oneOf, variant } from "../codec/oneOf.js"
import { u32, u64 } from "../codec/primitives.js"
import type { TypeOf } from "../codec/schema.js"
import { struct } from "../codec/struct.js"
import { typeError } from "./errors.js"
import { fxMember } from "./fx.js"
import { EMPTY_ID, id, uncachedID } from "./id.js"
import { isStrictlyAscending } from "./owners.js"
import { goInterface } from "./registered.js"

/** The positions of the signers in the owners' list of addresses. */
const signers = { signatureIndices: list(u32) }

export const transferInput = variant("TransferInput", 5, { amount: u64, ...signers })
export type TransferInput = TypeOf<typeof transferInput>

/** An input that spends an amount under a stakeable lock, which the input must repeat. */
export const lockIn = variant("LockIn", 21, {
  locktime: u64,
  input: oneOf(goInterface("avax.TransferableIn", { nestsAlso: [21] }), transferInput),
})

export const input = oneOf(goInterface("avax.TransferableIn"), transferInput, lockIn)
/** An input of a transaction: the amount that it spends and which owners sign, with or without a lock. */
export type Input = TypeOf<typeof input>

/** An input with the UTXO that it spends and its asset. */
export const transferableInput = struct(
  { txID: uncachedID, outputIndex: u32, assetID: id, input },
  { order: ["txID", "outputIndex", "assetID", "fxID", "input"], also: fxMember },
)
/** An input with the UTXO that it spends and its asset. */
export type TransferableInput = TypeOf<typeof transferableInput>

/** A proof of the right to act for a subnet or a validator. */
export const authInput = variant("Input", 10, signers)
export const auth = oneOf(goInterface("verify.Verifiable"), authInput)

/** Returns the input without its stakeable lock. */
export function unlockedInput(value: Input): TransferInput {
  return value.kind === "LockIn" ? value.input : value
}

export function checkInput({ assetID, input }: TransferableInput): void {
  if (assetID === EMPTY_ID) throw typeError("types.empty_asset")
  checkInnerInput(input)
}

export function checkInnerInput(input: Input): void {
  if (input.kind === "LockIn" && input.locktime === 0n) throw typeError("types.zero_locktime")
  const inner = unlockedInput(input)
  if (inner.amount === 0n) throw typeError("types.zero_input")
  checkSigners(inner)
}

/** Checks that signature indices are in strictly ascending order. */
export function checkSigners({ signatureIndices }: { signatureIndices: readonly number[] }): void {
  if (!isStrictlyAscending(signatureIndices)) throw typeError("types.indices_unsorted")
}

/** Checks that inputs are strictly ascending by transaction ID, then output index. */
export function checkInputOrder(inputs: readonly TransferableInput[]): void {
  for (let i = 1; i < inputs.length; i++) {
    if (compareInputs(inputs[i - 1]!, inputs[i]!) >= 0) throw typeError("types.inputs_unsorted", { position: i })
  }
}

/** Compares inputs by their order in a transaction. */
export function compareInputs(a: TransferableInput, b: TransferableInput): number {
  if (a.txID !== b.txID) return a.txID < b.txID ? -1 : 1
  return a.outputIndex - b.outputIndex
}
