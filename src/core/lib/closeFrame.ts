/** The most bytes of a reason. */
const MAX_REASON = 123

/** Makes the last frame that a server sends on a WebSocket: a code of RFC 6455, and the reason in ASCII, which is cut if it does not fit. */
export function closeFrame(code: number, reason: string): Buffer {
  const text = Buffer.from(reason.replace(/[^ -~]/g, "?").slice(0, MAX_REASON))
  return Buffer.concat([Buffer.from([0x88, text.length + 2, code >> 8, code & 0xff]), text])
}
