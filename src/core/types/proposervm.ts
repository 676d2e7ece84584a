import { decode, encode, versioned } from "../codec/decode.js"
import { oneOf, variant } from "../codec/oneOf.js"
import { bytes, i64, u64 } from "../codec/primitives.js"
import type { TypeOf } from "../codec/schema.js"
import { struct } from "../codec/struct.js"
import { nodeIDOfCertificate, type ParseCertificate, readCertificateKey } from "../crypto/certificate.js"
import { typeError } from "./errors.js"
import { EMPTY_NODE_ID, type ID, id, idOf, type NodeID } from "./id.js"

const header = { parentID: id, timestamp: i64, pChainHeight: u64, certificate: bytes, block: bytes }

/** An epoch: the P-Chain height of the validator sets that verify Warp messages, its number, and its start (Unix seconds). ACP-181. */
const epoch = struct({ pChainHeight: u64, number: u64, startTime: i64 })
/** An epoch of ACP-181: while it lasts, Warp messages are verified at one P-Chain height. */
export type Epoch = TypeOf<typeof epoch>

/** The wrapper of a block: its proposer, its time, and the P-Chain height at which its Warp messages are verified. */
const proposerBlock = variant("ProposerVMBlock", 0, { ...header, signature: bytes })

/** The wrapper of a commit or abort block. */
const proposerOption = variant("ProposerVMOption", 1, { parentID: id, block: bytes })

/** A wrapper that also carries its epoch, from Granite. */
const graniteBlock = variant("ProposerVMGraniteBlock", 2, { ...header, epoch, signature: bytes })

const registered = { 0: "*block.statelessBlock", 1: "*block.option", 2: "*block.statelessGraniteBlock" }

export const proposerContainer = versioned(
  oneOf({ interface: "block.Block", registered }, proposerBlock, proposerOption, graniteBlock),
)

type Wrapper = TypeOf<typeof proposerContainer>

/** A decoded wrapper with its ID and its proposer (none for options and unsigned blocks). */
export type Container = Wrapper & { readonly id: ID; readonly proposer: NodeID; readonly bytes: Uint8Array }

/** Returns whether bytes can be a wrapper, judged by their first type ID. Most blocks have one that no wrapper has. */
export function isPerhapsContainer(raw: Uint8Array): boolean {
  return raw.length < 6 || new DataView(raw.buffer, raw.byteOffset).getUint32(2) in registered
}

/** Reads a wrapper. A certificate in it must be valid for a node. The inner block stays bytes. */
export function decodeContainer(raw: Uint8Array): Container {
  const value = decode(proposerContainer, raw)
  if (value.kind === "ProposerVMOption") return Object.assign(value, { id: idOf(raw), proposer: EMPTY_NODE_ID, bytes: raw })
  if (value.certificate.length > 0) readCertificateKey(value.certificate)
  const proposer = value.certificate.length === 0 ? EMPTY_NODE_ID : (nodeIDOfCertificate(value.certificate) as NodeID)
  return Object.assign(value, { id: idOf(unsignedPart(raw, value.signature)), proposer, bytes: raw })
}

/** Encodes a wrapper without proposer, and gives it its ID. */
export function containerWithoutProposer(
  value: Exclude<TypeOf<typeof proposerContainer>, { kind: "ProposerVMOption" }>,
): Container {
  const bytes = encode(proposerContainer, value)
  return { ...value, id: idOf(unsignedPart(bytes, value.signature)), proposer: EMPTY_NODE_ID, bytes }
}

/** Encodes the wrapper of an option, and gives it its ID. */
export function optionContainer(parentID: ID, block: Uint8Array): Container {
  const value = { kind: "ProposerVMOption", parentID, block } as const
  const bytes = encode(proposerContainer, value)
  return { ...value, id: idOf(bytes), proposer: EMPTY_NODE_ID, bytes }
}

/** The ID covers everything up to the signature field, so that a changed signature does not change the ID. */
function unsignedPart(raw: Uint8Array, signature: Uint8Array): Uint8Array {
  return raw.subarray(0, raw.length - signature.length - 4)
}

/** The bytes that the proposer signs (98). */
export const signedHeader = versioned(struct({ chainID: id, parentID: id, bodyID: id }))

/** Checks the form of a wrapper and its signature for a chain. Throws `types.*`. */
export function verifyContainer(value: Container, chainID: ID, parse: ParseCertificate): void {
  if (value.kind === "ProposerVMOption") return
  if (value.kind === "ProposerVMGraniteBlock" && isZeroEpoch(value.epoch)) throw typeError("types.zero_epoch")
  if (value.certificate.length === 0) {
    if (value.signature.length > 0) throw typeError("types.unexpected_signature")
    return
  }
  const message = encode(signedHeader, { chainID, parentID: value.parentID, bodyID: value.id })
  if (!parse(value.certificate).verify(message, value.signature)) {
    throw typeError("types.bad_proposer_signature", { proposer: value.proposer })
  }
}

export function isZeroEpoch({ pChainHeight, number, startTime }: Epoch): boolean {
  return pChainHeight === 0n && number === 0n && startTime === 0n
}
