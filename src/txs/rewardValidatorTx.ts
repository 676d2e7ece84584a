import { id } from "../types/id.js"
import { defineTx } from "./defineTx.js"

/** Proposes that the first staker to leave be rewarded. Names the transaction that made it a staker. */
export const rewardValidatorTx = defineTx({
  kind: "RewardValidatorTx",
  typeID: 20,
  fields: { txID: id },

  check() {},
})
