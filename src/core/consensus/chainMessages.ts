import { hexToBytes, toHex } from "../lib/bytes.js"
import type { OutgoingMessage } from "../p2p/message.js"
import { EngineType } from "../p2p/proto/p2p_pb.js"
import type { RequestHeader } from "../p2p/requests.js"
import { type ID, ID_SIZE, P_CHAIN_ID } from "../types/id.js"

/** The P-Chain's ID as messages carry it: 32 zero bytes, which must be there. */
export const CHAIN_ID = hexToBytes(P_CHAIN_ID)

export function isAboutPChain({ chainId }: { readonly chainId: Uint8Array }): boolean {
  return chainId.length === ID_SIZE && chainId.every((byte) => byte === 0)
}

/** An ID of a message; `undefined` if it does not have 32 bytes. */
export function idIn(bytes: Uint8Array): ID | undefined {
  return bytes.length === ID_SIZE ? (toHex(bytes) as ID) : undefined
}

export function getAcceptedFrontier(header: RequestHeader): OutgoingMessage {
  return { case: "getAcceptedFrontier", value: { chainId: CHAIN_ID, ...header } }
}

export function getAccepted(header: RequestHeader, ids: readonly ID[]): OutgoingMessage {
  return { case: "getAccepted", value: { chainId: CHAIN_ID, ...header, containerIds: ids.map(hexToBytes) } }
}

export function getAncestors(header: RequestHeader, id: ID): OutgoingMessage {
  return {
    case: "getAncestors",
    value: { chainId: CHAIN_ID, ...header, containerId: hexToBytes(id), engineType: EngineType.CHAIN },
  }
}

export function get(header: RequestHeader, id: ID): OutgoingMessage {
  return { case: "get", value: { chainId: CHAIN_ID, ...header, containerId: hexToBytes(id) } }
}

/** Makes the question which block a node prefers. `requestedHeight` is the sender's last accepted height plus one. */
export function pullQuery(header: RequestHeader, id: ID, requestedHeight: bigint): OutgoingMessage {
  return { case: "pullQuery", value: { chainId: CHAIN_ID, ...header, containerId: hexToBytes(id), requestedHeight } }
}

/** Makes the same question with the block itself, for a block that the sender built. */
export function pushQuery(header: RequestHeader, container: Uint8Array, requestedHeight: bigint): OutgoingMessage {
  return { case: "pushQuery", value: { chainId: CHAIN_ID, ...header, container, requestedHeight } }
}
