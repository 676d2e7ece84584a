import { createHash } from "node:crypto"
import { Address, BigIntPr, BlsPublicKey, Bytes, Id, Int, NodeId, PChainOwner, pvmSerial, utils } from "@avalabs/avalanchejs"
import { bytesOf, type Identity } from "../made.js"
import type { World } from "./world.js"

const { AddressedCall, L1ValidatorWeightMessage, RegisterL1ValidatorMessage } = pvmSerial.warp.AddressedCallPayloads

/** The address of the L1's validator manager on its chain. */
export const MANAGER = bytesOf(`0x${"c0ffee".repeat(6)}c0fe`)

/** With the codec version that the library leaves to its caller. */
const coded = (value: { toBytes(codec: typeof pvmSerial.warp.codec): Uint8Array }): Uint8Array =>
  Buffer.concat([Buffer.alloc(2), value.toBytes(pvmSerial.warp.codec)])

/** A validator of the L1 called "l1", registered by its manager. */
export function registration(world: World, identity: Identity, weight: bigint, expiry: bigint): Uint8Array {
  const owner = PChainOwner.fromNative([world.a.bytes], 1)
  return coded(
    new RegisterL1ValidatorMessage(
      Id.fromString(world.made.id("l1")),
      NodeId.fromString(identity.nodeID),
      BlsPublicKey.fromHex(identity.publicKey),
      new BigIntPr(expiry),
      owner,
      owner,
      new BigIntPr(weight),
    ),
  )
}

/** A new weight for a validator, ordered by its manager. */
export function weightOrder(validationID: string, nonce: bigint, weight: bigint): Uint8Array {
  return coded(new L1ValidatorWeightMessage(Id.fromString(validationID), new BigIntPr(nonce), new BigIntPr(weight)))
}

/** The manager's message, signed by the L1's validators: Serac holds their keys. */
export async function signed({ dev, wallet, made }: World, payload: Uint8Array): Promise<Uint8Array> {
  const call = coded(new AddressedCall(new Address(MANAGER), new Bytes(payload)))
  const { WarpUnsignedMessage } = pvmSerial.warp
  const message = coded(
    new WarpUnsignedMessage(new Int(wallet.context.networkID), Id.fromString(made.id("l1 chain")), new Bytes(call)),
  )
  const { signedMessage } = await dev("dev.signWarpMessage", { unsignedMessage: utils.bufferToHex(message) })
  return bytesOf(signedMessage)
}

/** The ID of a validator: the hash of the message that registered it. */
export const validationIDOf = (registration: Uint8Array): string => utils.base58check.encode(sha256(registration))

/** The ID of a validator that a conversion brought in: the hash of the subnet and its place in the list. */
export function initialValidationIDOf(subnetID: string, place: number): string {
  const index = Buffer.alloc(4)
  index.writeUInt32BE(place)
  return utils.base58check.encode(sha256(Buffer.concat([utils.base58check.decode(subnetID), index])))
}

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest()
