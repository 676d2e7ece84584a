import { type Block, decodeBlock } from "../../blocks/block.js"
import type { ParseCertificate } from "../../crypto/certificate.js"
import { Invalid } from "../../lib/invalid.js"
import { type ID, P_CHAIN_ID } from "../../types/id.js"
import { type Container, decodeContainer, isPerhapsContainer, optionContainer, verifyContainer } from "../../types/proposervm.js"

/** A block as it travels between nodes: in its ProposerVM wrapper, or bare if it is older than wrappers. Its ID is the wrapper's. */
export interface OuterBlock {
  readonly id: ID
  readonly parentID: ID
  readonly height: bigint
  readonly bytes: Uint8Array
  readonly inner: Block
  readonly wrapper: Container | undefined
}

/** Options of reading an outer block. */
export interface ReadOuterBlock {
  /** False if the bytes come from this node's own store. */
  readonly verifiesSignature: boolean
  /** Reads the keys of proposers; a reader of many blocks passes one with a cache. */
  readonly parseCertificate?: ParseCertificate
}

/** Reads a block from a peer: as a wrapper if all of it is valid, including its signature, otherwise as a bare block. Throws `codec.*`. */
export function readOuterBlock(bytes: Uint8Array, options: ReadOuterBlock = { verifiesSignature: true }): OuterBlock {
  return (isPerhapsContainer(bytes) ? wrapped(bytes, options) : undefined) ?? bareBlock(decodeBlock(bytes))
}

/** A block without wrapper as an outer block. */
export function bareBlock(inner: Block): OuterBlock {
  return { id: inner.id, parentID: inner.parentID, height: inner.height, bytes: inner.bytes, inner, wrapper: undefined }
}

/** Wraps the option of a proposal. Every node makes the same bytes. The option of a bare proposal is bare. */
export function outerOption(proposal: OuterBlock, option: Block): OuterBlock {
  if (!proposal.wrapper) return bareBlock(option)
  return wrappedBlock(optionContainer(proposal.id, option.bytes), option)
}

/** The outer block of a wrapper and the block in it. */
export function wrappedBlock(wrapper: Container, inner: Block): OuterBlock {
  return { id: wrapper.id, parentID: wrapper.parentID, height: inner.height, bytes: wrapper.bytes, inner, wrapper }
}

function wrapped(bytes: Uint8Array, { verifiesSignature, parseCertificate }: ReadOuterBlock): OuterBlock | undefined {
  try {
    const wrapper = decodeContainer(bytes, parseCertificate)
    if (verifiesSignature) verifyContainer(wrapper, P_CHAIN_ID, parseCertificate)
    return wrappedBlock(wrapper, decodeBlock(wrapper.block))
  } catch (error) {
    if (error instanceof Invalid) return undefined
    throw error
  }
}

/** A block that only an option can follow. */
export function isProposal(block: Block): block is Extract<Block, { kind: "ApricotProposalBlock" | "BanffProposalBlock" }> {
  return block.kind === "ApricotProposalBlock" || block.kind === "BanffProposalBlock"
}
