import { list, string } from "../../jsonrpc/schema/kinds.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { devMethod } from "./context.js"
import { requireAddresses } from "./params.js"

export const impersonate = devMethod({
  name: "dev.impersonate",
  summary:
    "From now on anyone may act for these owners (an override): a credential needs the right number of signatures, and what stands in them is ignored.",
  params: object({ addresses: list(string) }),
  result: nothing,
  examples: [{ params: { addresses: ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5ajeks8w"] }, result: {} }],

  async handler({ addresses }, context) {
    await context.dev.impersonate(requireAddresses(addresses, context))
    return {}
  },
})
