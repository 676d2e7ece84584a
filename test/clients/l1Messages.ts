import type { Call } from "../../src/client/client.js"
import { encode } from "../../src/core/codec/decode.js"
import { parsePChainAddress } from "../../src/core/types/address.js"
import { parseID, parseNodeID } from "../../src/core/types/id.js"
import { unsignedMessage } from "../../src/core/types/warp/message.js"
import { encodePayload } from "../../src/core/types/warp/payload.js"
import { encodePChainMessage, type PChainMessage, registrationIDOf } from "../../src/core/types/warp/pChainMessage.js"
import { bytesOf, type Identity } from "./made.js"

/** The validator manager of an L1, on the L1's chain. */
export interface Manager {
  readonly chainID: string
  /** `0x` and hex. */
  readonly address: string
}

/** A message of a manager to the P-Chain, signed by the L1's validators, whose keys Serac holds. */
export async function signed(dev: Call, { chainID, address }: Manager, message: PChainMessage): Promise<string> {
  const payload = encodePayload({ kind: "AddressedCall", sourceAddress: bytesOf(address), payload: encodePChainMessage(message) })
  const unsigned = encode(unsignedMessage, { networkID: 12345, sourceChainID: parseID(chainID), payload })
  const text = `0x${Buffer.from(unsigned).toString("hex")}`
  return (await dev("dev.signWarpMessage", { unsignedMessage: text })).signedMessage
}

/** Makes the message that registers another validator of an L1, and the validator's ID. */
export function registration(subnetID: string, identity: Identity, owner: string, { weight = 30n, expiry = 0n }) {
  const us = { threshold: 1, addresses: [parsePChainAddress(owner, "local")] }
  const message = {
    kind: "RegisterL1Validator",
    subnetID: parseID(subnetID),
    nodeID: Buffer.from(parseNodeID(identity.nodeID), "hex"),
    blsPublicKey: bytesOf(identity.publicKey),
    expiry,
    remainingBalanceOwner: us,
    disableOwner: us,
    weight,
  } as const
  return { message, validationID: registrationIDOf(message) }
}
