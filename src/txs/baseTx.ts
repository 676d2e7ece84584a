import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"

/** Moves funds. From Durango. */
export const baseTx = defineTx({
  kind: "BaseTx",
  typeID: 34,
  fields: baseFields,

  check: checkBase,
})
