import { BASE_SIZE, baseComplexity, dimensions } from "../rules/complexity.js"
import { addDimensions } from "../rules/gas.js"
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

  complexity: (tx) => addDimensions(dimensions(BASE_SIZE), baseComplexity(tx)),

  execute(tx, run) {
    requirePaid(run, tx)
  },
})
