import { list, string } from "../../jsonrpc/schema/kinds.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { keystoreMethod, requireKeystore } from "./context.js"

export const listUsers = keystoreMethod({
  name: "keystore.listUsers",
  summary: "Returns the names of all users, sorted by their UTF-8 bytes.",
  deprecated: "since v1.9.12",
  params: nothing,
  result: object({ users: list(string) }),
  examples: [{ params: {}, result: { users: ["bob"] } }],

  handler: (_params, context) => ({ users: requireKeystore(context).listUsers() }),
})
