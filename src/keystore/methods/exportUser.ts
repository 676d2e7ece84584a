import { described, string, withDefault } from "../../jsonrpc/schema/kinds.js"
import { object } from "../../jsonrpc/schema/object.js"
import { encodedBytes, encoding } from "../../services/kinds.js"
import { HASHING_COST, keystoreMethod, requireKeystore } from "./context.js"
import { keystoreRpcError } from "./errors.js"

export const exportUser = keystoreMethod({
  name: "keystore.exportUser",
  summary:
    "Exports a user so that this or another node can import it. The export contains the hash of the password and the encrypted data of the user.",
  deprecated: "since v1.9.12",
  params: object({
    username: described(string, "The name of the user."),
    password: described(string, "The password of the user."),
    encoding: described(withDefault(encoding, "hex"), "The encoding of the exported user."),
  }),
  result: object({ user: encodedBytes, encoding: encoding }),
  cost: HASHING_COST,
  examples: [
    {
      params: { username: "bob", password: "Fuji-Test-1234" },
      result: {
        user: "0x0000d5945577da671b574a2edc2349aafb27df4f6d0c6f3e2e88b27f25b51ad3680f000102030405060708090a0b0c0d0e0f00000000f2f2aa3e",
        encoding: "hex",
      },
    },
  ],

  async handler({ username, password, encoding }, context) {
    const user = await requireKeystore(context).exportUser(username, password, context.dialect)
    if (encoding === "json") throw keystoreRpcError("keystore.no_json_form")
    return { user: { bytes: user, encoding }, encoding }
  },
})
