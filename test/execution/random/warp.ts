import { encode } from "../../../src/core/codec/decode.js"
import { LOCAL_ID } from "../../../src/core/networks/names.js"
import { canonicalSet, validatorSetAt } from "../../../src/core/rules/validatorSet.js"
import { tables } from "../../../src/core/state/tables.js"
import type { View } from "../../../src/core/state/view.js"
import type { ID } from "../../../src/core/types/id.js"
import { bitSetOf } from "../../../src/core/types/warp/bitSet.js"
import { signedMessage, unsignedMessageBytes } from "../../../src/core/types/warp/message.js"
import { encodePayload } from "../../../src/core/types/warp/payload.js"
import { encodePChainMessage, type PChainMessage } from "../../../src/core/types/warp/pChainMessage.js"
import { bls } from "../../../src/platform/backends.js"
import { blsKeyOf } from "../../fixtures/keys.js"
import { idOfByte } from "../../fixtures/txs.js"
import { secretOf } from "../secrets.js"
import type { Model } from "./model.js"

/** Number of BLS keys. Validators share them. */
export const KEYS = 4
/** The address of the manager of every L1. */
export const MANAGER = Uint8Array.of(0x0f, 0xee)

/** The last accepted state: its validators sign Warp messages. */
export interface Tip {
  readonly view: View
  readonly height: bigint
}

/** The chain of an L1's manager; an unknown chain has no L1. */
export const managerOf = (model: Model, subnetID: ID): ID => model.subnets.get(subnetID)!.chainID ?? idOfByte(0xdd)

/** Makes a message of an L1's manager, signed by all of its validators that have keys, and the code of its refusal if it is invalid. */
export function warp(
  model: Model,
  subnetID: ID,
  message: PChainMessage,
  tip: Tip,
): { raw: Uint8Array; code: string | undefined } {
  const { signers, totalWeight } = canonicalSet(validatorSetAt(tip.view, subnetID, tip.height))
  const payload = encodePayload({ kind: "AddressedCall", sourceAddress: MANAGER, payload: encodePChainMessage(message) })
  const unsigned = { networkID: LOCAL_ID, sourceChainID: managerOf(model, subnetID), payload }
  const bytes = unsignedMessageBytes(unsigned)
  const secrets = signers.map(({ publicKey }) => secretOf(publicKey, KEYS))
  const signature = bls().aggregateSignatures(
    (secrets.length > 0 ? secrets : [blsKeyOf(1).secret]).map((each) => bls().sign(each, bytes)),
  )
  const signed = signers.reduce((total, { weight }) => total + weight, 0n)
  const bitSet = { kind: "BitSetSignature" as const, signers: bitSetOf(signers.map((_, i) => i)), signature }
  const raw = encode(signedMessage, { ...unsigned, signature: bitSet })
  if (!tip.view.get(tables.chains, unsigned.sourceChainID)) return { raw, code: "rules.unknown_chain" }
  if (67n * totalWeight > 100n * signed) return { raw, code: "rules.warp_weight" }
  return { raw, code: signers.length === 0 ? "crypto.bls_no_public_keys" : undefined }
}
