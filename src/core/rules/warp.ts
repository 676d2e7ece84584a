import type { Crypto } from "../crypto/crypto.js"
import { equalBytes, toHex } from "../lib/bytes.js"
import { valueOrThrow } from "../lib/invalid.js"
import { heightOf, tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { type ID, idText } from "../types/id.js"
import { bitSetIndices } from "../types/warp/bitSet.js"
import { decodeSignedMessage, type SignedMessage, unsignedMessageBytes } from "../types/warp/message.js"
import { decodePayload } from "../types/warp/payload.js"
import { decodePChainMessage, type PChainMessage } from "../types/warp/pChainMessage.js"
import { rulesError } from "./errors.js"
import { requireSubnetOfChain } from "./subnets.js"
import { type CanonicalSet, type CanonicalSigner, canonicalSet, validatorSetAt } from "./validatorSet.js"

/** The share of a validator set's weight that must have signed. */
export interface Quorum {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** 67 %, a little more than two thirds. */
export const WARP_QUORUM: Quorum = { numerator: 67n, denominator: 100n }

export interface WarpContext {
  readonly crypto: Crypto
  readonly networkID: number
  /** The state of the last accepted block. */
  readonly lastAccepted: View
  /** The P-Chain height whose validators must have signed. */
  readonly pChainHeight: bigint
  readonly trustSignatures: boolean
}

/** Verifies that two thirds (67 %) of the source's validators at the height signed a message. */
export function verifyWarpMessage(raw: Uint8Array, context: WarpContext): void {
  const message = decodeSignedMessage(raw)
  const subnetID = requireSubnetOfChain(context.lastAccepted, message.sourceChainID)
  checkHeight(context, subnetID)
  const set = canonicalSet(validatorSetAt(context.lastAccepted, subnetID, context.pChainHeight))
  verifySignature(message, set, context)
}

/** Checks that the height is not above the last accepted one, because later validator sets are unknown. */
function checkHeight({ lastAccepted, pChainHeight }: WarpContext, subnetID: ID): void {
  const height = heightOf(lastAccepted)
  if (pChainHeight <= height) return
  throw rulesError("rules.warp_height", { subnetID: idText(subnetID), height, pChainHeight }).dependingOn("height")
}

function verifySignature(
  message: SignedMessage,
  set: CanonicalSet,
  { networkID, trustSignatures, crypto: { bls } }: Pick<WarpContext, "networkID" | "trustSignatures" | "crypto">,
): void {
  if (message.networkID !== networkID) throw rulesError("rules.warp_network", { expected: networkID, got: message.networkID })
  const signers = signersOf(message.signature.signers, set)
  checkQuorum(weightOf(signers), set.totalWeight, WARP_QUORUM)
  if (trustSignatures) return
  const { signature } = message.signature
  valueOrThrow(
    () => bls.checkSignature(signature),
    ({ avalanchegoMessage: reason }) => rulesError("rules.warp_signature_malformed", { reason }),
  )
  const keys = signers.map(({ publicKey }) => publicKey)
  if (!bls.verifyAggregate(keys, unsignedMessageBytes(message), signature)) {
    throw rulesError("rules.warp_signature")
  }
}

/** Throws `rules.warp_weight` if the signed weight is too small a part of the total. */
export function checkQuorum(signed: bigint, total: bigint, { numerator, denominator }: Quorum): void {
  if (numerator * total > denominator * signed) {
    throw rulesError("rules.warp_weight", { signed, total, numerator, denominator })
  }
}

export const weightOf = (signers: readonly { readonly weight: bigint }[]): bigint =>
  signers.reduce((sum, { weight }) => sum + weight, 0n)

/** Returns the signers of a bit set. Throws `types.bitset_padded` and `rules.warp_unknown_signer`. */
export function signersOf(bitSet: Uint8Array, { signers }: Pick<CanonicalSet, "signers">): CanonicalSigner[] {
  const indices = bitSetIndices(bitSet)
  const highest = indices.at(-1) ?? -1
  if (highest >= signers.length) {
    throw rulesError("rules.warp_unknown_signer", { indices: highest, validators: signers.length })
  }
  return indices.map((index) => signers[index]!)
}

/** The content of a transaction's Warp message. */
export interface OpenedMessage<M> {
  readonly sourceChainID: ID
  readonly sourceAddress: Uint8Array
  readonly message: M
}

const goNames: Readonly<Record<string, string>> = { Hash: "*payload.Hash" }

/** Opens the layers of a Warp message down to the P-Chain message of the requested kind. */
export function openWarpMessage<K extends PChainMessage["kind"]>(
  raw: Uint8Array,
  kind: K,
): OpenedMessage<Extract<PChainMessage, { kind: K }>> {
  const { sourceChainID, payload } = decodeSignedMessage(raw)
  const call = decodePayload(payload)
  if (call.kind !== "AddressedCall") throw rulesError("rules.warp_payload_type", { got: goNames[call.kind] })
  const message = decodePChainMessage(call.payload)
  if (message.kind !== kind) throw rulesError("rules.warp_payload_type", { got: `*message.${message.kind}` })
  return { sourceChainID, sourceAddress: call.sourceAddress, message: message as Extract<PChainMessage, { kind: K }> }
}

/** Checks that a message comes from an L1's manager: the chain and address that its conversion names. */
export function checkIsManager(view: View, subnetID: ID, { sourceChainID, sourceAddress }: OpenedMessage<unknown>): void {
  const conversion = view.get(tables.conversions, subnetID)
  if (!conversion) throw rulesError("rules.no_conversion", { subnetID: idText(subnetID) })
  if (conversion.chainID !== sourceChainID) {
    throw rulesError("rules.warp_source_chain", { expected: idText(conversion.chainID), got: idText(sourceChainID) })
  }
  if (!equalBytes(conversion.address, sourceAddress)) {
    throw rulesError("rules.warp_source_address", {
      expected: `0x${toHex(conversion.address)}`,
      got: `0x${toHex(sourceAddress)}`,
    })
  }
}
