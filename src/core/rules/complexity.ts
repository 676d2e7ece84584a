import type { Dimensions } from "../networks/params.js"
import { ADDRESS_SIZE } from "../types/address.js"
import { ID_SIZE } from "../types/id.js"
import type { TransferableInput } from "../types/input.js"
import { unlockedInput } from "../types/input.js"
import { innerOutput, type TransferableOutput } from "../types/output.js"
import type { Signer } from "../types/signer.js"
import type { ConversionValidator } from "../types/validator.js"
import type { Verifiable } from "../types/verifiable.js"
import { bitSetIndices } from "../types/warp/bitSet.js"
import { decodeSignedMessage } from "../types/warp/message.js"
import { rulesError } from "./errors.js"

/** Makes the complexity of a part of a transaction: bytes, reads, writes, microseconds. ACP-103. */
export function dimensions(bandwidth: number, dbRead = 0, dbWrite = 0, compute = 0): Dimensions {
  return { bandwidth: BigInt(bandwidth), dbRead: BigInt(dbRead), dbWrite: BigInt(dbWrite), compute: BigInt(compute) }
}

const NO_COMPLEXITY = dimensions(0)
/** The size of a signature index and the signature. */
const SIGNER_SIZE = 4 + 65
const SIGNATURE_COMPUTE = 200
const POSSESSION_SIZE = 48 + 96
/** The time to check the key and verify the proof. */
export const POSSESSION_COMPUTE = 50 + 1000
const LOCK_SIZE = 4 + 8

/** The size of an empty base transaction, including codec version and empty credentials. */
export const BASE_SIZE = 2 + 4 + 4 + ID_SIZE + 4 + 4 + 4 + 4

// A transaction has so few bytes that plain numbers count them exactly. They take less time than a bigint for each output.

function outputsSize(outputs: readonly Pick<TransferableOutput, "output">[]): number {
  let size = 0
  for (const { output } of outputs) {
    const lock = output.kind === "LockOut" ? LOCK_SIZE : 0
    size += 60 + lock + ADDRESS_SIZE * innerOutput(output).addresses.length
  }
  return size
}

/** Returns the size of inputs without that of their signatures. */
function inputsSize(inputs: readonly Pick<TransferableInput, "input">[]): number {
  let size = 0
  for (const { input } of inputs) size += 92 + (input.kind === "LockIn" ? LOCK_SIZE : 0)
  return size
}

function signersOf(inputs: readonly Pick<TransferableInput, "input">[]): number {
  let signers = 0
  for (const { input } of inputs) signers += unlockedInput(input).signatureIndices.length
  return signers
}

export function outputsComplexity(outputs: readonly Pick<TransferableOutput, "output">[]): Dimensions {
  return dimensions(outputsSize(outputs), 0, outputs.length)
}

/** Returns the complexity of inputs with their credentials. */
export function inputsComplexity(inputs: readonly Pick<TransferableInput, "input">[]): Dimensions {
  const signers = signersOf(inputs)
  return dimensions(inputsSize(inputs) + SIGNER_SIZE * signers, inputs.length, inputs.length, SIGNATURE_COMPUTE * signers)
}

/** Returns the complexity of an owner without its type ID. */
export function ownerComplexity({ addresses }: { addresses: readonly unknown[] }): Dimensions {
  return dimensions(16 + ADDRESS_SIZE * addresses.length)
}

/** Returns the complexity of an authorisation with its credential, without type IDs. */
export function authComplexity(auth: Verifiable): Dimensions {
  if (auth.kind !== "Input") throw rulesError("rules.unpriced_auth", { got: auth.kind })
  const signers = auth.signatureIndices.length
  return dimensions(8 + SIGNER_SIZE * signers, 0, 0, SIGNATURE_COMPUTE * signers)
}

export function signerComplexity({ kind }: Signer): Dimensions {
  return kind === "ProofOfPossession" ? dimensions(POSSESSION_SIZE, 0, 0, POSSESSION_COMPUTE) : NO_COMPLEXITY
}

export function conversionValidatorComplexity(validator: ConversionValidator): Dimensions {
  const addresses = validator.remainingBalanceOwner.addresses.length + validator.deactivationOwner.addresses.length
  const size = 36 + validator.nodeID.length + POSSESSION_SIZE + ADDRESS_SIZE * addresses
  return dimensions(size, 0, 4, POSSESSION_COMPUTE)
}

/** Returns the complexity of a Warp message and the reads of its verification. Throws if it does not decode, or its bit set is padded. */
export function warpComplexity(message: Uint8Array): Dimensions {
  const { signature } = decodeSignedMessage(message)
  const signers = bitSetIndices(signature.signers).length
  return dimensions(message.length, 3 + 20, 0, 1000 + 5 * signers)
}

/** Returns the complexity of the fields that all spending transactions have. */
export function baseComplexity(tx: {
  readonly outputs: readonly TransferableOutput[]
  readonly inputs: readonly TransferableInput[]
  readonly memo: Uint8Array
}): Dimensions {
  const { outputs, inputs, memo } = tx
  const signers = signersOf(inputs)
  const size = outputsSize(outputs) + inputsSize(inputs) + SIGNER_SIZE * signers + memo.length
  return dimensions(size, inputs.length, outputs.length + inputs.length, SIGNATURE_COMPUTE * signers)
}
