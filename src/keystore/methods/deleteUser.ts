import { described, string } from "../../jsonrpc/schema/kinds.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { HASHING_COST, keystoreMethod, requireKeystore } from "./context.js"

export const deleteUser = keystoreMethod({
  name: "keystore.deleteUser",
  summary: "Deletes a user with all its data. The name can be used again.",
  deprecated: "since v1.9.12",
  params: object({
    username: described(string, "The name of the user."),
    password: described(string, "The password of the user."),
  }),
  result: nothing,
  cost: HASHING_COST,
  examples: [{ params: { username: "bob", password: "Fuji-Test-1234" }, result: {} }],

  async handler({ username, password }, context) {
    await requireKeystore(context).deleteUser(username, password, context.dialect)
    return {}
  },
})
