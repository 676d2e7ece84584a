import { described, list, string } from "../../jsonrpc/schema/kinds.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { devMethod } from "./context.js"
import { requireAddresses } from "./params.js"

export const stopImpersonating = devMethod({
  name: "dev.stopImpersonating",
  summary: "Ends the impersonation of the given owners: their signatures are verified again.",
  params: object({ addresses: described(list(string), "The addresses whose impersonation ends.") }),
  result: nothing,
  examples: [{ params: { addresses: ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5ajeks8w"] }, result: {} }],

  async handler({ addresses }, context) {
    const override = { kind: "stopImpersonating" as const, addresses: requireAddresses(addresses, context) }
    await context.chain.turn((turn) => turn.applyOverrides([override]))
    return {}
  },
})
