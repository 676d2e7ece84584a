import { Invalid } from "../../core/lib/invalid.js"
import { type Encoding, fromHexText } from "../../core/types/hexText.js"
import { described, string, withDefault } from "../../jsonrpc/schema/kinds.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { encoding } from "../../services/kinds.js"
import { HASHING_COST, keystoreMethod, requireKeystore } from "./context.js"
import { keystoreRpcError } from "./errors.js"

export const importUser = keystoreMethod({
  name: "keystore.importUser",
  summary:
    "Imports a user that was exported by this node or by AvalancheGo. The name can be changed; the password stays the same.",
  deprecated: "since v1.9.12",
  params: object({
    username: described(string, "The name of the user on this node."),
    password: described(string, "The password that the user had when it was exported."),
    user: described(string, "The exported user from keystore.exportUser."),
    encoding: described(withDefault(encoding, "hex"), "The encoding of `user`."),
  }),
  result: nothing,
  cost: HASHING_COST,
  examples: [
    {
      params: {
        username: "eve",
        password: "Fuji-Test-1234",
        user: "0x0000d5945577da671b574a2edc2349aafb27df4f6d0c6f3e2e88b27f25b51ad3680f000102030405060708090a0b0c0d0e0f00000000f2f2aa3e",
      },
      result: {},
    },
  ],

  async handler({ username, password, user, encoding }, context) {
    const keystore = requireKeystore(context)
    await keystore.importUser(username, password, bytesOf(user, encoding), context.dialect)
    return {}
  },
})

function bytesOf(user: string, encoding: Encoding): Uint8Array {
  try {
    return fromHexText(user, encoding)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw keystoreRpcError("keystore.undecodable_user", { reason: error.sentence, reference: error.avalanchegoMessage })
  }
}
