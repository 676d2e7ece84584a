import { bytes, u64 } from "../codec/primitives.js"
import type { TypeOf } from "../codec/schema.js"
import { struct } from "../codec/struct.js"
import { id, nodeID } from "./id.js"
import { pChainOwner } from "./owners.js"
import { proofOfPossession } from "./signer.js"

/** A validator: its node, its period (Unix seconds) and its weight. */
export const validator = struct({ nodeID, start: u64, end: u64, weight: u64 })

export const subnetValidator = struct({ ...validator.fields, subnetID: id })

/** An initial validator of an L1. ACP-77. */
export const conversionValidator = struct({
  nodeID: bytes,
  weight: u64,
  balance: u64,
  signer: proofOfPossession,
  remainingBalanceOwner: pChainOwner,
  deactivationOwner: pChainOwner,
})
export type ConversionValidator = TypeOf<typeof conversionValidator>
