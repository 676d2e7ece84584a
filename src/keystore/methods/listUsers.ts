import { answer } from "../../jsonrpc/result.js"
import { nothing } from "../../jsonrpc/schema/kinds.js"
import { method, requireKeystore } from "./context.js"

export const listUsers = method({
  name: "keystore.listUsers",
  summary: "The names of all users, in the order of their UTF-8 bytes.",
  deprecated: "since v1.9.12",
  params: nothing,
  result: answer.object({ users: answer.list(answer.string) }),
  examples: [{ params: {}, result: { users: ["bob"] } }],

  handler: (_params, context) => ({ users: requireKeystore(context).listUsers() }),
})
