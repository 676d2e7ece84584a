import { byteArray, bytes, u64 } from "../codec/primitives.js"
import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"

/** Adds a validator to an L1, as a Warp message of its manager asks. ACP-77, from Etna. */
export const registerL1ValidatorTx = defineTx({
  kind: "RegisterL1ValidatorTx",
  typeID: 36,
  fields: { ...baseFields, balance: u64, proofOfPossession: byteArray(96), message: bytes },

  check: checkBase,
})
