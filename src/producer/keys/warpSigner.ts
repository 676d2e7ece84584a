import { decode, encode } from "../../core/codec/decode.js"
import { toHex } from "../../core/lib/bytes.js"
import { Invalid, valueOrUndefined } from "../../core/lib/invalid.js"
import { requireSubnetOfChain } from "../../core/rules/subnets.js"
import { type CanonicalSet, canonicalSet, type ValidatorSet, validatorSetAt } from "../../core/rules/validatorSet.js"
import { checkQuorum, WARP_QUORUM, weightOf } from "../../core/rules/warp.js"
import type * as warpSigning from "../../core/rules/warpSigning.js"
import { heightOf, tables } from "../../core/state/tables.js"
import type { View } from "../../core/state/view.js"
import { type ID, idText, type NodeID, nodeIDText, P_CHAIN_ID } from "../../core/types/id.js"
import { bitSetOf } from "../../core/types/warp/bitSet.js"
import { signedMessage, type UnsignedMessage, unsignedMessage } from "../../core/types/warp/message.js"
import { decodePayload } from "../../core/types/warp/payload.js"
import { decodePChainMessage } from "../../core/types/warp/pChainMessage.js"
import { bls } from "../../platform/backends.js"
import { producerError } from "../errors.js"
import { secretOf } from "./identities.js"

/** Signer of a Warp message: a node whose key the private chain has, or a BLS secret. */
export type WarpSigner = { readonly nodeID: NodeID } | { readonly secret: Uint8Array }

/** The bytes of a justification, and the functions that read them, which are loaded on use. */
export interface Justified extends Pick<typeof warpSigning, "checkMaySign" | "l1OfJustification"> {
  readonly bytes: Uint8Array
}

/** A message to be signed. */
export interface SignRequest {
  /** The bytes of the unsigned message. */
  readonly message: Uint8Array
  /** The subnet whose validators sign; by default that of the manager of the L1 that a message of the P-Chain is about, or that of the message's source chain. */
  readonly subnetID?: ID | undefined
  /** The signers; by default all validators of the subnet whose keys the node has. */
  readonly signers?: readonly WarpSigner[] | undefined
  /** The height whose validators sign. */
  readonly pChainHeight: bigint
  /** The percentage of the weight that must sign; that of the P-Chain's rules by default. */
  readonly quorum?: number | undefined
  /**
   * Justification of a message of the P-Chain (ACP-118). With it the message is signed only if the state shows that it is true, as
   * validators do.
   */
  readonly justification?: Justified | undefined
  readonly networkID: number
}

/**
 * Signs a Warp message as the validators of a subnet would. Throws `producer.*` for a key that the node does not have, and
 * `rules.warp_weight`.
 */
export function signMessage(view: View, request: SignRequest): Uint8Array {
  const message = decode(unsignedMessage, request.message)
  if (message.networkID !== request.networkID) {
    throw producerError("producer.wrong_network", { expected: request.networkID, got: message.networkID })
  }
  const { justification } = request
  if (justification && message.sourceChainID === P_CHAIN_ID) {
    justification.checkMaySign(view, request.networkID, message, justification.bytes)
  }
  const l1 = l1OfMessage(view, message, justification)
  const subnetID = request.subnetID ?? (l1 ? signersAbout(view, l1) : requireSubnetOfChain(view, message.sourceChainID))
  const members = validatorSetAt(view, subnetID, request.pChainHeight)
  const set = canonicalSet(members)
  const secrets = request.signers ? chosen(view, members, set, request.signers) : allHeld(view, set)
  if (secrets.size === 0) {
    const data = { subnetID: idText(subnetID), pChainHeight: request.pChainHeight, members: members.size }
    const isTooNew = members.size === 0 && validatorSetAt(view, subnetID, heightOf(view)).size > 0
    throw producerError(isTooNew ? "producer.signers_too_new" : "producer.no_signers", data)
  }
  requireQuorum(secrets, set, request.quorum)
  const indices = [...secrets.keys()].sort((a, b) => a - b)
  const signature = bls().aggregateSignatures(indices.map((index) => bls().sign(secrets.get(index)!, request.message)))
  return encode(signedMessage, { ...message, signature: { kind: "BitSetSignature", signers: bitSetOf(indices), signature } })
}

/**
 * Returns the subnet whose validators are asked to sign a message of the P-Chain about an L1: that of the chain with the L1's manager, which
 * accepts no others. It is the L1 itself, or the primary network if the manager is on the C-Chain.
 */
export function signersAbout(view: View, l1: ID): ID {
  const manager = view.get(tables.conversions, l1)?.chainID
  return (manager && valueOrUndefined(() => requireSubnetOfChain(view, manager))) ?? l1
}

/**
 * Returns the L1 that a message of the P-Chain is about. Returns `undefined` for other messages, and if the state does not know the L1.
 */
function l1OfMessage(view: View, { sourceChainID, payload }: UnsignedMessage, given: Justified | undefined): ID | undefined {
  if (sourceChainID !== P_CHAIN_ID) return undefined
  const about = valueOrUndefined(() => {
    const call = decodePayload(payload)
    return call.kind === "AddressedCall" ? decodePChainMessage(call.payload) : undefined
  })
  if (about?.kind === "SubnetToL1Conversion") {
    const found = [...view.rows(tables.conversions)].find(([, { conversionID }]) => conversionID === about.id)
    return found?.[0]
  }
  if (about?.kind !== "L1ValidatorRegistration" && about?.kind !== "L1ValidatorWeight") return undefined
  const { validationID } = about
  const present = view.get(tables.l1Validators, validationID)
  return present?.subnetID ?? l1OfRemoved(view, validationID) ?? given?.l1OfJustification(given.bytes)
}

/** Returns the L1 of a validator that was removed; `undefined` if there was none. */
function l1OfRemoved(view: View, validationID: ID): ID | undefined {
  for (const [{ subnetID, stakerID }] of view.rows(tables.l1MemberDiffs)) if (stakerID === validationID) return subnetID
  return undefined
}

/** Throws `rules.warp_weight` with the nodes that do not sign, if too little weight signs. */
function requireQuorum(
  secrets: ReadonlyMap<number, Uint8Array>,
  { signers, totalWeight }: CanonicalSet,
  percentage: number | undefined,
): void {
  const signing = signers.filter((_, index) => secrets.has(index))
  const quorum = percentage === undefined ? WARP_QUORUM : { numerator: BigInt(percentage), denominator: 100n }
  try {
    checkQuorum(weightOf(signing), totalWeight, quorum)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    const missing = signers.filter((_, index) => !secrets.has(index)).flatMap(({ nodeIDs }) => nodeIDs.map(nodeIDText))
    throw error.withData({ missing })
  }
}

/** Returns the secrets that the node has, by position in the set. */
function allHeld(view: View, { signers }: CanonicalSet): Map<number, Uint8Array> {
  const held = new Map<number, Uint8Array>()
  for (const [index, { publicKey }] of signers.entries()) {
    const secret = secretOf(view, bls().compressKey(publicKey))
    if (secret) held.set(index, secret)
  }
  return held
}

function chosen(view: View, members: ValidatorSet, set: CanonicalSet, signers: readonly WarpSigner[]): Map<number, Uint8Array> {
  const positions = new Map(set.signers.map(({ publicKey }, index) => [toHex(publicKey), index]))
  const out = new Map<number, Uint8Array>()
  for (const signer of signers) {
    const publicKey = "secret" in signer ? bls().decompressKey(bls().publicKey(signer.secret)) : keyOf(members, signer.nodeID)
    const index = positions.get(toHex(publicKey))
    if (index === undefined)
      throw producerError("producer.unknown_signer", { publicKey: `0x${toHex(bls().compressKey(publicKey))}` })
    const secret = "secret" in signer ? signer.secret : secretOf(view, bls().compressKey(publicKey))
    if (!secret) throw producerError("producer.key_not_held", { nodeID: "nodeID" in signer ? nodeIDText(signer.nodeID) : "" })
    out.set(index, secret)
  }
  return out
}

function keyOf(members: ValidatorSet, nodeID: NodeID): Uint8Array {
  const member = members.get(nodeID)
  const publicKey = member?.publicKey
  if (publicKey) return publicKey
  const reason = member ? { reason: "it validates without a BLS key" } : {}
  throw producerError("producer.unknown_signer", { nodeID: nodeIDText(nodeID), ...reason })
}
