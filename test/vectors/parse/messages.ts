import { toBinary } from "@bufbuild/protobuf"
import { idIn, isAboutPChain } from "../../../src/core/consensus/chainMessages.js"
import { sha256 } from "../../../src/core/crypto/hash.js"
import { toHex } from "../../../src/core/lib/bytes.js"
import { BloomFilter } from "../../../src/core/p2p/bloomFilter.js"
import { p2pError } from "../../../src/core/p2p/errors.js"
import { MAX_MESSAGE_SIZE } from "../../../src/core/p2p/frame.js"
import { claimedIpPort, ipText, isPrivate } from "../../../src/core/p2p/ipPort.js"
import { decodeMessage, type MessageKind, type PeerMessage } from "../../../src/core/p2p/message.js"
import { MessageSchema } from "../../../src/core/p2p/proto/p2p_pb.js"
import { loadZstd } from "../../../src/network/zstd.js"
import { type ReadFacts, sha256Text, shortText } from "./facts.js"

export const compression = await loadZstd()

/** AvalancheGo's name of a kind of message. */
export const opOf = (kind: MessageKind): string =>
  kind.replace("List", "list").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Reads a message that is of a known kind. Throws `p2p.*`. */
export function knownMessage(bytes: Uint8Array): PeerMessage {
  const message = decodeMessage(bytes, compression)
  if (!message) throw p2pError("p2p.bad_message", { offset: bytes.length })
  return message
}

export const readMessage: ReadFacts = (facts, bytes) => {
  const message = knownMessage(bytes)
  const { value } = message
  const field = MessageSchema.fields.find(({ localName }) => localName === message.case)
  facts.op = opOf(message.case)
  if (field?.message) facts.written = shortText(toBinary(field.message, value))
  if ("chainId" in value) facts.p_chain = isAboutPChain(value)
  if ("requestId" in value) facts.request = value.requestId
  if ("deadline" in value) facts.deadline = `${BigInt.asIntN(64, value.deadline)}`
  const badID = Object.entries(idsIn(message)).find(([, ids]) => ids.some((id) => idIn(id) === undefined))
  if (badID) facts.bad_id = badID[0]
}

/** The fields of a message in which a chain looks for IDs. */
function idsIn({ case: kind, value }: PeerMessage): Readonly<Record<string, readonly Uint8Array[]>> {
  switch (kind) {
    case "acceptedFrontier":
    case "getAncestors":
    case "get":
    case "pullQuery":
      return { container_id: [value.containerId] }
    case "getAccepted":
    case "accepted":
      return { container_ids: value.containerIds }
    case "acceptedStateSummary":
      return { summary_ids: value.summaryIds }
    case "chits":
      return {
        preferred_id: [value.preferredId],
        preferred_id_at_height: [value.preferredIdAtHeight],
        accepted_id: [value.acceptedId],
      }
    default:
      return {}
  }
}

export const readZstd: ReadFacts = (facts, bytes) => {
  const plain = compression.decompress(bytes, MAX_MESSAGE_SIZE)
  Object.assign(facts, { size: plain.length, sha256: sha256Text(plain) })
}

export const readIp: ReadFacts = (facts, bytes) => {
  const address = claimedIpPort(bytes, 9651)
  Object.assign(facts, { ip: ipText(address.ip), bytes: toHex(address.ip), public: !isPrivate(address) })
}

export const readFilter: ReadFacts = (facts, bytes) => {
  const has = Array.from({ length: 16 }, (_, i) => {
    return BloomFilter.parse(bytes, new Uint8Array(i)).has(sha256(Uint8Array.of(i))) ? "1" : "0"
  })
  Object.assign(facts, { has: has.join(""), written: shortText(BloomFilter.parse(bytes, new Uint8Array(0)).toBytes()) })
}
