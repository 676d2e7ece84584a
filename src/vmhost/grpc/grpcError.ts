/** The status codes of gRPC that the plugin protocol uses. */
export const grpcStatus = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  deadlineExceeded: 4,
  resourceExhausted: 8,
  unimplemented: 12,
  unavailable: 14,
} as const

/** The error of a gRPC call: its status, its message, and the bytes of its `google.rpc.Status` if it has details. */
export class GrpcError extends Error {
  readonly status: number
  readonly details: Uint8Array | undefined

  constructor(status: number, message: string, details?: Uint8Array) {
    super(message)
    this.name = "GrpcError"
    this.status = status
    this.details = details
  }
}

/** Returns whether a call was ended by its caller. */
export function isCancelled(error: unknown): boolean {
  return error instanceof GrpcError && error.status === grpcStatus.cancelled
}

/** Header values with which an answer ends. */
export type StatusHeaders = Readonly<Record<string, string>>

/** Returns the headers of a status. The message is percent-encoded except for printable ASCII. */
export function statusHeaders(status: number, message = ""): StatusHeaders {
  const code = { "grpc-status": String(status) }
  return message === "" ? code : { ...code, "grpc-message": encodeMessage(message) }
}

/** Returns the error in the headers at the end of an answer; `undefined` if the call succeeded. */
export function errorIn(headers: Readonly<Record<string, unknown>>): GrpcError | undefined {
  const status = headers["grpc-status"]
  if (status === undefined) return new GrpcError(grpcStatus.unavailable, "the connection was lost during the call")
  if (status === "0") return undefined
  const details = headers["grpc-status-details-bin"]
  return new GrpcError(
    Number(status),
    decodeMessage(String(headers["grpc-message"] ?? "")),
    typeof details === "string" ? Buffer.from(details, "base64") : undefined,
  )
}

function encodeMessage(text: string): string {
  let encoded = ""
  for (const byte of Buffer.from(text)) {
    const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25
    encoded += isPlain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`
  }
  return encoded
}

/** An invalid escape stays as it is. */
function decodeMessage(text: string): string {
  const bytes: number[] = []
  for (let i = 0; i < text.length; i++) {
    const escaped = text[i] === "%" ? text.slice(i + 1, i + 3) : ""
    if (/^[\da-f]{2}$/i.test(escaped)) {
      bytes.push(Number.parseInt(escaped, 16))
      i += 2
    } else bytes.push(text.charCodeAt(i) & 0xff)
  }
  return Buffer.from(bytes).toString("utf8")
}
