import { hexToBytes, toHex } from "../core/lib/bytes.js"

/** The address of the Warp precompile of subnet-evm. */
export const WARP_PRECOMPILE = "0x0200000000000000000000000000000000000005"

/** The first topic of its event `SendWarpMessage(address indexed sender, bytes32 indexed messageID, bytes message)`. */
export const SEND_WARP_MESSAGE = "0x56600c567728a800c0aa927500f831cb451df66a7af570eb4df4dfbf4674887d"

/** A log in the receipt of a transaction. */
export interface EvmLog {
  readonly address: string
  readonly topics: readonly string[]
  /** Hex with `0x`. */
  readonly data: string
}

/** Returns the unsigned Warp messages that a transaction of an EVM chain sent, from the logs of its receipt, as hex with `0x`. */
export function sentMessages(logs: readonly EvmLog[]): readonly string[] {
  return logs
    .filter(({ address, topics }) => address.toLowerCase() === WARP_PRECOMPILE && topics[0] === SEND_WARP_MESSAGE)
    .map(({ data }) => `0x${abiBytes(data)}`)
}

/** Reads the only value of ABI data, of type `bytes`: its place, its length, and the bytes. */
function abiBytes(data: string): string {
  const size = Number.parseInt(data.slice(66, 130), 16)
  return data.slice(130, 130 + size * 2)
}

/** Returns the access list with which a transaction of an EVM chain brings a signed message, which is hex with `0x`. */
export function warpAccessList(signedMessage: string) {
  // The message, a byte 0xff that ends it, and zeros to a multiple of 32 bytes.
  const message = hexToBytes(signedMessage.slice(2))
  const padded = new Uint8Array(Math.ceil((message.length + 1) / 32) * 32)
  padded.set(message)
  padded[message.length] = 0xff
  const storageKeys = Array.from({ length: padded.length / 32 }, (_, i) => {
    return `0x${toHex(padded.subarray(i * 32, (i + 1) * 32))}` as const
  })
  return [{ address: WARP_PRECOMPILE, storageKeys }] as const
}
