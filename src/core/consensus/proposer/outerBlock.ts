import { type Block, decodeBlock, heightIn } from "../../blocks/block.js"
import type { ParseCertificate } from "../../crypto/certificate.js"
import { valueOrUndefined } from "../../lib/invalid.js"
import { max } from "../../lib/math64.js"
import { MAX_SIZE } from "../../txs/tx.js"
import { type ID, idOf, P_CHAIN_ID } from "../../types/id.js"
import { type Container, decodeContainer, isPerhapsContainer, optionContainer, verifyContainer } from "../../types/proposervm.js"

/** The facts about a block that nodes exchange, known before the block in its wrapper is decoded. Its ID is the wrapper's. */
export interface OuterHeader {
  readonly id: ID
  readonly parentID: ID
  /** `undefined` if only decoding shows it. */
  readonly height: bigint | undefined
  readonly bytes: Uint8Array
  readonly wrapper: Container | undefined
  readonly inner?: Block
}

/** A block as it travels between nodes: in its ProposerVM wrapper, or bare if it is older than wrappers. */
export interface OuterBlock extends OuterHeader {
  readonly height: bigint
  readonly inner: Block
}

export interface ReadOuterBlock {
  /** Reads the keys of proposers, whose signatures are then verified. */
  readonly parseCertificate: ParseCertificate | undefined
}

/** The options for bytes whose signature was verified before, such as those of this node's own store. */
export const VERIFIED_BEFORE: ReadOuterBlock = { parseCertificate: undefined }

/** The size of the largest commit or abort block, bytes. */
const MAX_OPTION_SIZE = 54

/** Reads a block: as a wrapper if all of it is valid, otherwise as a bare block. Throws `codec.*`. */
export function readOuterBlock(bytes: Uint8Array, options: ReadOuterBlock): OuterBlock {
  const wrapped = isPerhapsContainer(bytes) ? valueOrUndefined(() => decodeInner(readWrapper(bytes, options))) : undefined
  return wrapped ?? bareBlock(decodeBlock(bytes, { maxSize: MAX_SIZE }))
}

/** Reads the wrapper of a block, and not the block in it. Throws `codec.*` and `types.*`. */
export function readWrapper(bytes: Uint8Array, { parseCertificate }: ReadOuterBlock): OuterHeader {
  const wrapper = decodeContainer(bytes)
  if (parseCertificate) verifyContainer(wrapper, P_CHAIN_ID, parseCertificate)
  return { id: wrapper.id, parentID: wrapper.parentID, height: heightIn(wrapper.block), bytes, wrapper }
}

/**
 * Reads what a peer sends as a block. With a wrapper, the block in it is not decoded. A bare block is read only where it is allowed, and is
 * decoded. Returns `undefined` for other bytes.
 */
export function readHeader(bytes: Uint8Array, mayBeBare: boolean, options: ReadOuterBlock): OuterHeader | undefined {
  return valueOrUndefined(() => (mayBeBare ? readOuterBlock : readWrapper)(bytes, options))
}

/** Reads a block whose ID is known. Bytes with another ID are not decoded. Returns `undefined` if these are not the bytes of that block. */
export function readBlockOf(id: ID, bytes: Uint8Array, options: ReadOuterBlock): OuterBlock | undefined {
  const header = valueOrUndefined(() => readWrapper(bytes, options))
  if (header?.id === id) return valueOrUndefined(() => decodeInner(header))
  return idOf(bytes) === id ? valueOrUndefined(() => bareBlock(decodeBlock(bytes))) : undefined
}

/** Decodes the block in a wrapper. Throws `codec.*`. */
export function decodeInner({ inner, wrapper, bytes }: OuterHeader): OuterBlock {
  if (!wrapper) return bareBlock(inner ?? decodeBlock(bytes))
  const maxSize = wrapper.kind === "ProposerVMOption" ? MAX_OPTION_SIZE : MAX_SIZE
  return wrappedBlock(wrapper, inner ?? decodeBlock(wrapper.block, { maxSize }))
}

export function bareBlock(inner: Block): OuterBlock {
  return { id: inner.id, parentID: inner.parentID, height: inner.height, bytes: inner.bytes, inner, wrapper: undefined }
}

/** Wraps the option of a proposal. Every node makes the same bytes. The option of a bare proposal is bare. */
export function outerOption(proposal: OuterBlock, option: Block): OuterBlock {
  if (!proposal.wrapper) return bareBlock(option)
  return wrappedBlock(optionContainer(proposal.id, option.bytes), option)
}

export function wrappedBlock(wrapper: Container, inner: Block): OuterBlock {
  return { id: wrapper.id, parentID: wrapper.parentID, height: inner.height, bytes: wrapper.bytes, inner, wrapper }
}

/**
 * Returns the clock by which a decided block is executed again, Unix seconds. It was accepted before this moment of the machine's clock, so
 * every lock that had ended then has ended now. A clock that was ahead, such as that of a private chain, shows in the times of the block.
 */
export function clockFor({ inner, wrapper }: Pick<OuterBlock, "inner" | "wrapper">, wall: bigint): bigint {
  const wrapped = wrapper && wrapper.kind !== "ProposerVMOption" ? wrapper.timestamp : 0n
  return max(wall, max(wrapped, timeIn(inner) ?? 0n))
}

/** The time that a block has, or proposes: before Banff only a transaction that advances the time has one. */
function timeIn(block: Block): bigint | undefined {
  if ("time" in block) return block.time
  return "tx" in block && block.tx.unsignedTx.kind === "AdvanceTimeTx" ? block.tx.unsignedTx.time : undefined
}

/** A block that only an option can follow. */
export function isProposal(block: Block): block is Extract<Block, { kind: "ApricotProposalBlock" | "BanffProposalBlock" }> {
  return block.kind === "ApricotProposalBlock" || block.kind === "BanffProposalBlock"
}
