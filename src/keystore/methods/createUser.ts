import { described, string } from "../../jsonrpc/schema/kinds.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { HASHING_COST, keystoreMethod, requireKeystore } from "./context.js"

export const createUser = keystoreMethod({
  name: "keystore.createUser",
  summary: "Creates a user with the given name and password. The keystore is deprecated; do not use it on Mainnet.",
  params: object({
    username: described(string, "The name of at most 1024 characters; upper and lower case are distinguished."),
    password: described(
      string,
      "A password of at most 1024 characters that is hard to guess, such as eight or more characters with upper and lower case, digits and symbols.",
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
