import { encode } from "../../src/core/codec/decode.js"
import { hexToBytes } from "../../src/core/lib/bytes.js"
import type { ID } from "../../src/core/types/id.js"
import { unsignedMessage } from "../../src/core/types/warp/message.js"
import { encodePayload } from "../../src/core/types/warp/payload.js"

/** The message of a VM about the seconds that a validator was online: version 0, type 0. */
export function uptimeMessage(chainID: ID, validationID: ID, seconds: bigint): string {
  const words = Buffer.alloc(46)
  words.set(hexToBytes(validationID), 6)
  words.writeBigUInt64BE(seconds, 38)
  const payload = encodePayload({ kind: "AddressedCall", sourceAddress: new Uint8Array(0), payload: words })
  return `0x${Buffer.from(encode(unsignedMessage, { networkID: 12345, sourceChainID: chainID, payload })).toString("hex")}`
}
