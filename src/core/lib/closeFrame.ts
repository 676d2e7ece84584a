import { utf8 } from "./bytes.js"

/** The most bytes of a reason. */
const MAX_REASON = 123

/** Makes the last frame that a server sends on a WebSocket: a code of RFC 6455, and the reason in ASCII, which is cut if it does not fit. */
export function closeFrame(code: number, reason: string): Uint8Array {
  const text = utf8(reason.replace(/[^ -~]/g, "?").slice(0, MAX_REASON))
  return Uint8Array.of(0x88, text.length + 2, code >> 8, code & 0xff, ...text)
}
