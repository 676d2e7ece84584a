import { described, list, string } from "../../jsonrpc/schema/kinds.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { devMethod } from "./context.js"
import { requireAddresses } from "./params.js"

export const impersonate = devMethod({
  name: "dev.impersonate",
  summary:
    "Lets anyone act for the given owners from now on. A credential still needs the right number of signatures, but the signatures are not verified. This is an override.",
  params: object({ addresses: described(list(string), "The addresses for which anyone can act.") }),
  result: nothing,
  examples: [{ params: { addresses: ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5ajeks8w"] }, result: {} }],

  async handler({ addresses }, context) {
    const override = { kind: "impersonate" as const, addresses: requireAddresses(addresses, context) }
    await context.chain.turn((turn) => turn.applyOverrides([override]))
    return {}
  },
})
