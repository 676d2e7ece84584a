import { decode, encode } from "../../../src/core/codec/decode.js"
import { nodeIDOfCertificate, readCertificateKey } from "../../../src/core/crypto/certificate.js"
import { equalBytes, toHex } from "../../../src/core/lib/bytes.js"
import { SECOND } from "../../../src/core/lib/go/goDuration.js"
import { refusals } from "../../../src/core/lib/invalid.js"
import { upTo } from "../../../src/core/networks/upgrades.js"
import { newEpoch } from "../../../src/core/rules/epoch.js"
import { type NodeID, nodeIDText, P_CHAIN_ID } from "../../../src/core/types/id.js"
import {
  type Container,
  decodeContainer,
  type Epoch,
  proposerContainer,
  signedHeader,
  verifyContainer,
} from "../../../src/core/types/proposervm.js"
import { parseCertificate } from "../../../src/platform/certificate.js"
import { type Facts, type ReadFacts, sha256Text } from "./facts.js"

const refuse = refusals({ "test.refused": { sentence: "the bytes are refused" } })

export const readCertificate: ReadFacts = (facts, bytes) => {
  facts.node_id = nodeIDText(nodeIDOfCertificate(bytes) as NodeID)
  const key = readCertificateKey(bytes)
  parseCertificate(bytes)
  if (key.kind === "P-256") Object.assign(facts, { key: "P-256", key_bytes: toHex(key.point) })
  else Object.assign(facts, { key: `RSA-${key.modulus.toString(2).length}`, key_bytes: key.modulus.toString(16) })
}

export const readSignature: ReadFacts = (facts, bytes, also) => {
  facts.certificate = false
  const certificate = parseCertificate(also)
  facts.certificate = true
  const message = Uint8Array.from({ length: 32 }, (_, i) => i)
  if (!certificate.verify(message, bytes)) throw refuse("test.refused")
}

const kinds = {
  ProposerVMBlock: "statelessBlock",
  ProposerVMGraniteBlock: "statelessGraniteBlock",
  ProposerVMOption: "option",
} as const

export const readWrapper: ReadFacts = (facts, bytes) => {
  facts.parsed = false
  const wrapper = decodeContainer(bytes)
  Object.assign(facts, {
    parsed: true,
    kind: kinds[wrapper.kind],
    id: wrapper.id,
    parent: wrapper.parentID,
    inner: sha256Text(wrapper.block),
    inner_size: wrapper.block.length,
    canonical: equalBytes(encode(proposerContainer, wrapper), bytes),
  })
  if (wrapper.kind !== "ProposerVMOption") noteHeader(facts, wrapper)
  verifyContainer(wrapper, P_CHAIN_ID, parseCertificate)
}

function noteHeader(facts: Facts, wrapper: Exclude<Container, { kind: "ProposerVMOption" }>): void {
  facts.time = `${wrapper.timestamp}`
  facts.p_chain_height = `${wrapper.pChainHeight}`
  facts.epoch = "epoch" in wrapper ? epochText(wrapper.epoch) : "0 0 0"
  facts.proposer = nodeIDText(wrapper.proposer)
}

const epochText = ({ pChainHeight, number, startTime }: Epoch): string =>
  `${pChainHeight} ${number} ${BigInt.asIntN(64, startTime)}`

export const readHeader: ReadFacts = (facts, bytes) => {
  const { chainID, parentID, bodyID } = decode(signedHeader, bytes)
  Object.assign(facts, { chain: chainID, parent: parentID, body: bodyID })
}

/** The seconds from the year 1, from which Go counts. */
const SECONDS_BEFORE_1970 = 62_135_596_800n

/** Reads nine numbers: Granite's time and epoch in seconds, the parent's P-Chain height, epoch and time, the child's time, 0. */
export const readEpoch: ReadFacts = (facts, bytes) => {
  if (bytes.length !== 72) throw refuse("test.refused")
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const word = (i: number) => view.getBigUint64(8 * i)
  // Go's times wrap after the year 292277024627, and are then before all others. A block of such a time is refused, either way.
  const time = (i: number) => BigInt.asIntN(64, view.getBigInt64(8 * i) + SECONDS_BEFORE_1970) - SECONDS_BEFORE_1970
  const { times, ...more } = upTo("granite")
  const upgrades = { ...more, times: { ...times, granite: time(0) }, graniteEpochDuration: word(1) * SECOND }
  const epoch = { pChainHeight: word(3), number: word(4), startTime: time(5) }
  facts.epoch = epochText(newEpoch(upgrades, { timestamp: time(6), pChainHeight: word(2), epoch }, time(7)))
}
