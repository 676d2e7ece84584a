import { u64 } from "../codec/primitives.js"
import { id } from "../types/id.js"
import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"

/** Adds AVAX to the balance an L1 validator pays its continuous fee from. ACP-77, from Etna. */
export const increaseL1ValidatorBalanceTx = defineTx({
  kind: "IncreaseL1ValidatorBalanceTx",
  typeID: 38,
  fields: { ...baseFields, validationID: id, balance: u64 },

  check(tx, context) {
    if (tx.balance === 0n) throw txError("tx.zero_balance")
    checkBase(tx, context)
  },
})
