import { type Block, blockToJson, decodeBlock, txsOf } from "../../../src/core/blocks/block.js"
import { decode, encode } from "../../../src/core/codec/decode.js"
import { printJson } from "../../../src/core/lib/json.js"
import { hrpOf, MAINNET_ID } from "../../../src/core/networks/names.js"
import { type ID, idText, nodeIDText, P_CHAIN_ID, parseID } from "../../../src/core/types/id.js"
import {
  type Container,
  decodeContainer,
  proposerContainer,
  signedHeader,
  verifyContainer,
} from "../../../src/core/types/proposervm.js"
import { parseCertificate } from "../../../src/platform/certificate.js"
import type { Check, Entry, Group, Verdict } from "../group.js"
import { bytesOf } from "../values.js"

const TYPE_IDS = { ProposerVMBlock: 0, ProposerVMOption: 1, ProposerVMGraniteBlock: 2 } as const

const checkWrapper: Check = (entry, verdict) => {
  const bytes = bytesOf(entry.bytes)
  const container = decodeContainer(bytes)
  verdict.equal("bytes", encode(proposerContainer, container), entry.bytes)
  verdict.equal("type_id", TYPE_IDS[container.kind], entry.type_id)
  verdict.equal("id", idText(container.id), entry.id)
  verdict.equal("parent_id", idText(container.parentID), entry.parent_id)
  if (entry.type !== undefined) verdict.equal("type", fitsType(container, entry.type), true)
  if (entry.length !== undefined) verdict.equal("length", bytes.length, entry.length)
  if (entry.proposer !== undefined) verdict.equal("proposer", nodeIDText(container.proposer), entry.proposer)
  if (container.kind !== "ProposerVMOption") checkHeader(container, entry, verdict)
  checkInner(container, entry, verdict)
  checkSignature(container, entry, verdict)
}

type SignedContainer = Exclude<Container, { kind: "ProposerVMOption" }>

function checkHeader(container: SignedContainer, entry: Entry, verdict: Verdict): void {
  verdict.equal("timestamp", container.timestamp, entry.timestamp)
  verdict.equal("p_chain_height", container.pChainHeight, entry.p_chain_height)
  const { certificate, signature } = container
  if (entry.certificate_length !== undefined) verdict.equal("certificate_length", certificate.length, entry.certificate_length)
  if (entry.signature_length !== undefined) verdict.equal("signature_length", signature.length, entry.signature_length)
  const unsignedLength = container.bytes.length - signature.length - 4
  if (entry.unsigned_length !== undefined) verdict.equal("unsigned_length", unsignedLength, entry.unsigned_length)
  const epoch = container.kind === "ProposerVMGraniteBlock" ? container.epoch : undefined
  const names = epoch && { p_chain_height: epoch.pChainHeight, number: epoch.number, start_time: epoch.startTime }
  verdict.equal("epoch", names, entry.epoch)
}

/** The content of the wrapper: any bytes, or a block of the P-Chain. */
function checkInner(container: Container, entry: Entry, verdict: Verdict): void {
  if (entry.inner_bytes !== undefined) verdict.equal("inner_bytes", container.block, entry.inner_bytes)
  if (["inner_type", "inner_id", "inner_height", "inner_parent_id", "inner_json_text"].every((name) => !(name in entry))) return
  const block = decodeBlock(container.block)
  if (entry.inner_type !== undefined) verdict.equal("inner_type", block.kind, entry.inner_type)
  if (entry.inner_id !== undefined) verdict.equal("inner_id", idText(block.id), entry.inner_id)
  if (entry.inner_height !== undefined) verdict.equal("inner_height", block.height, entry.inner_height)
  if (entry.inner_parent_id !== undefined) verdict.equal("inner_parent_id", idText(block.parentID), entry.inner_parent_id)
  if (entry.inner_json_text !== undefined) {
    const json = blockToJson(block, { hrp: hrpOf(networkIDOf(block)) })
    verdict.equal("inner_json_text", printJson(json), entry.inner_json_text)
  }
}

/** The network that a block's transactions are for; blocks without any look the same on all. */
function networkIDOf(block: Block): number {
  for (const { unsignedTx } of txsOf(block)) if ("networkID" in unsignedTx) return unsignedTx.networkID
  return MAINNET_ID
}

function checkSignature(container: Container, entry: Entry, verdict: Verdict): void {
  const chain = chainOf(entry)
  if (entry.expect !== undefined) verdict.equal("expect", outcomeOf(entry.bytes, chain ?? P_CHAIN_ID), expectedOf(entry.expect))
  else if (chain !== undefined) verifyContainer(container, chain, parseCertificate)
}

function chainOf(entry: Entry): ID | undefined {
  const text = entry.signature_valid_for_chain ?? entry.chain_id
  return text === undefined ? undefined : parseID(text)
}

type Outcome = "does not decode" | "decodes, but verification fails" | "parses"
const OUTCOMES: readonly Outcome[] = ["does not decode", "decodes, but verification fails", "parses"]

function expectedOf(expect: string): Outcome {
  const found = OUTCOMES.find((each) => expect.startsWith(each))
  if (found === undefined) throw new Error(`expect is none of ${OUTCOMES.join("; ")}: ${expect}`)
  return found
}

function outcomeOf(bytes: string, chain: ID): Outcome {
  const raw = bytesOf(bytes)
  if (!holds(() => decodeContainer(raw))) return "does not decode"
  return holds(() => verifyContainer(decodeContainer(raw), chain, parseCertificate))
    ? "parses"
    : "decodes, but verification fails"
}

function holds(action: () => unknown): boolean {
  try {
    action()
    return true
  } catch {
    return false
  }
}

/** Returns whether the words of a `type`, such as "signed block" or "option", are true of a wrapper. */
function fitsType(container: Container, type: string): boolean {
  const isOption = container.kind === "ProposerVMOption"
  const isSigned = !isOption && container.certificate.length > 0
  if (isOption || type.includes("option")) return isOption && type.includes("option")
  if (type.toLowerCase().includes("granite") && container.kind !== "ProposerVMGraniteBlock") return false
  return type.includes("unsigned") ? !isSigned : !type.includes("signed") || isSigned
}

/** proposervm.json: ProposerVM wrappers. */
export const proposervm: Group = {
  signed: checkWrapper,
  unsigned: checkWrapper,
  granite: checkWrapper,
  option: checkWrapper,
  invalid(entry, verdict) {
    verdict.equal("expect", outcomeOf(entry.bytes, chainOf(entry) ?? P_CHAIN_ID), expectedOf(entry.expect))
  },
  header(entry, verdict) {
    const header = decode(signedHeader, bytesOf(entry.bytes))
    verdict.equal("bytes", encode(signedHeader, header), entry.bytes)
    verdict.equal("chain_id", idText(header.chainID), entry.chain_id)
    verdict.equal("parent_id", idText(header.parentID), entry.parent_id)
    verdict.equal("body_id", idText(header.bodyID), entry.body_id)
  },
}
