import { concatBytes } from "../../lib/bytes.js"
import type { ChainMessage, OutgoingMessage } from "../../p2p/message.js"
import { CHAIN_ID } from "../chainMessages.js"

/** The protocols that the P-Chain's VM speaks with other nodes, by their number. */
export const AppHandler = { txGossip: 0, signatureRequest: 2 } as const

/** Error codes that every protocol shares. */
export const AppErrorCode = { undefined: 0, unexpected: -1, unregisteredHandler: -2, notAValidator: -3, throttled: -4 } as const

/** A message between the P-Chain's VMs of two nodes. */
export type AppMessage = Extract<ChainMessage, { case: `app${string}` }>

export function isAppMessage(message: ChainMessage): message is AppMessage {
  return message.case.startsWith("app")
}

const MAX_VARINT_SIZE = 10

/** Splits the bytes of an application message into the protocol's number and the body; `undefined` if there is no number. */
export function openEnvelope(bytes: Uint8Array): { readonly handler: bigint; readonly body: Uint8Array } | undefined {
  let handler = 0n
  for (let i = 0; i < Math.min(bytes.length, MAX_VARINT_SIZE); i++) {
    const byte = bytes[i] as number
    handler |= BigInt(byte & 0x7f) << BigInt(7 * i)
    if (byte < 0x80) return { handler, body: bytes.subarray(i + 1) }
  }
  return undefined
}

/** Makes a message to the same protocol of other nodes, which has no answer. */
export function appGossip(handler: number, body: Uint8Array): OutgoingMessage {
  return { case: "appGossip", value: { chainId: CHAIN_ID, appBytes: concatBytes(Uint8Array.of(handler), body) } }
}

export function appResponse(requestId: number, appBytes: Uint8Array): OutgoingMessage {
  return { case: "appResponse", value: { chainId: CHAIN_ID, requestId, appBytes } }
}

export function appError(requestId: number, errorCode: number, errorMessage: string): OutgoingMessage {
  return { case: "appError", value: { chainId: CHAIN_ID, requestId, errorCode, errorMessage } }
}

/** Makes a request to the same protocol of another node. `deadline` is a time span in nanoseconds. */
export function appRequest(requestId: number, deadline: bigint, handler: number, body: Uint8Array): OutgoingMessage {
  const appBytes = concatBytes(Uint8Array.of(handler), body)
  return { case: "appRequest", value: { chainId: CHAIN_ID, requestId, deadline, appBytes } }
}
