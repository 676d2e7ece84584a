import { refusals } from "../../core/lib/invalid.js"

/** Errors of the methods of `keystore`, besides those of the keystore itself. */
export const keystoreRpcError = refusals({
  "keystore.unavailable": "this node has no keystore",
  "keystore.undecodable_user": {
    sentence: "the exported user is not written in its encoding",
    avalanchegoMessage: ({ reference }) => `couldn't decode 'user' to bytes: ${reference}`,
  },
  "keystore.no_json_form": {
    sentence: "an exported user has no JSON form: ask for hex",
    avalanchegoMessage: "couldn't encode user to string: unsupported encoding in method",
  },
})
