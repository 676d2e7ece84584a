import { bytes } from "../codec/primitives.js"
import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"

/** Changes the weight of an L1's validator, as a Warp message of its manager asks; weight 0 removes it. ACP-77, from Etna. */
export const setL1ValidatorWeightTx = defineTx({
  kind: "SetL1ValidatorWeightTx",
  typeID: 37,
  fields: { ...baseFields, message: bytes },

  check: checkBase,
})
