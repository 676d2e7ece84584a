import { fromHex } from "../../src/core/lib/bytes.js"

/** Bytes as vectors write them: hex without prefix. */
export function bytesOf(hex: string): Uint8Array {
  const bytes = fromHex(hex)
  if (!bytes) throw new Error(`not hex: ${String(hex).slice(0, 64)}`)
  return bytes
}
