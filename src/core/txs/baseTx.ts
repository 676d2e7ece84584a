import { BASE_SIZE, dimensions } from "../rules/complexity.js"
import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"
import { requirePaid } from "./spend.js"

/** Moves funds. From Durango. */
export const baseTx = defineTx({
  kind: "BaseTx",
  typeID: 34,
  since: "durango",
  fields: baseFields,

  check: checkBase,

  intrinsic: dimensions(BASE_SIZE),

  execute(tx, context) {
    requirePaid(context, tx)
  },
})
