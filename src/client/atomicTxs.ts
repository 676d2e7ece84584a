import { encode, versioned } from "../core/codec/decode.js"
import { hexToBytes } from "../core/lib/bytes.js"
import { type ID, P_CHAIN_ID } from "../core/types/id.js"
import { compareInputs, type TransferableInput, unlockedInput } from "../core/types/input.js"
import type { TransferOutput } from "../core/types/output.js"
import { type AtomicTx, atomicTx } from "../evm/atomicTx.js"

/** The place of a C-Chain: its ID, the asset, and the network. */
export interface CChainPlace {
  readonly networkID: number
  readonly chainID: ID
  readonly avaxAssetID: ID
}

/** An atomic transaction of the C-Chain without its signatures. */
export type UnsignedAtomicTx = AtomicTx["unsignedTx"]

/** AVAX that leaves an account of the C-Chain for the P-Chain. */
export interface AtomicExport {
  /** The account, `0x` and hex, and the number of its transactions so far. */
  readonly address: string
  readonly nonce: bigint
  /** What its owners get on the P-Chain. */
  readonly output: TransferOutput
}

/** Makes an export from the C-Chain to the P-Chain. The account pays the fee (nAVAX) besides. */
export function unsignedExport(
  { networkID, chainID, avaxAssetID: assetID }: CChainPlace,
  { address, nonce, output }: AtomicExport,
  fee: bigint,
): UnsignedAtomicTx {
  return {
    ...{ kind: "export", networkID, chainID, destinationChain: P_CHAIN_ID },
    inputs: [{ address: hexToBytes(address.slice(2)), amount: output.amount + fee, assetID, nonce }],
    outputs: [{ assetID, output }],
  }
}

/** Makes an import of what the P-Chain has put. The account (`0x` and hex) gets what the inputs have, without the fee (nAVAX). */
export function unsignedImport(
  { networkID, chainID, avaxAssetID: assetID }: CChainPlace,
  inputs: readonly TransferableInput[],
  address: string,
  fee: bigint,
): UnsignedAtomicTx {
  const amount = inputs.reduce((sum, { input }) => sum + unlockedInput(input).amount, -fee)
  return {
    ...{ kind: "import", networkID, chainID, sourceChain: P_CHAIN_ID },
    inputs: inputs.toSorted(compareInputs),
    outputs: [{ address: hexToBytes(address.slice(2)), amount, assetID }],
  }
}

/** Returns the number of signatures for each input of an atomic transaction. */
export const atomicSignatureCounts = (unsigned: UnsignedAtomicTx): readonly number[] =>
  unsigned.kind === "export"
    ? unsigned.inputs.map(() => 1)
    : unsigned.inputs.map(({ input }) => unlockedInput(input).signatureIndices.length)

/** Returns the bytes of an atomic transaction with its signatures, a list for each input. */
export function signedAtomicBytes(unsignedTx: UnsignedAtomicTx, signatures: readonly (readonly Uint8Array[])[]): Uint8Array {
  const credentials = signatures.map((each) => ({ kind: "Credential" as const, signatures: [...each] }))
  return encode(versioned(atomicTx), { unsignedTx, credentials })
}

/** The gas of an atomic transaction besides its bytes, and that of each signature. */
const [TX_GAS, SIGNATURE_GAS] = [10_000n, 1_000n]

/** The gas that a block may ask for besides, since Fortuna, to come without a pause after the one before. */
const BLOCK_GAS = 1_000_000n

/** The wei of a nAVAX. */
const WEI = 1_000_000_000n

/** Returns the fee with which a block of this transaction alone comes at once, nAVAX. The base fee (wei) may double until then. */
export function atomicFeeOf(unsigned: UnsignedAtomicTx, baseFee: bigint): bigint {
  const counts = atomicSignatureCounts(unsigned)
  const blank = counts.map((count) => Array.from({ length: count }, () => new Uint8Array(65)))
  const signatures = BigInt(counts.reduce((sum, count) => sum + count, 0))
  const gas = BigInt(signedAtomicBytes(unsigned, blank).length) + SIGNATURE_GAS * signatures + TX_GAS + BLOCK_GAS
  return (gas * 2n * baseFee + WEI - 1n) / WEI
}
