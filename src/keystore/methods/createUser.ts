import { described, string } from "../../jsonrpc/schema/kinds.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { HASHING_COST, keystoreMethod, requireKeystore } from "./context.js"

export const createUser = keystoreMethod({
  name: "keystore.createUser",
  summary: "Makes a user with this name and password. The keystore is deprecated and not recommended for the main network.",
  params: object({
    username: described(string, "up to 1024 characters, capitals count"),
    password: described(
      string,
      "up to 1024 characters, hard to guess: eight or more with upper and lower case, digits and symbols",
    ),
  }),
  result: nothing,
  cost: HASHING_COST,
  examples: [{ params: { username: "alice", password: "Lemon-Candle-4711" }, result: {} }],

  async handler({ username, password }, context) {
    await requireKeystore(context).createUser(username, password, context.dialect)
    return {}
  },
})
