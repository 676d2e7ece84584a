import { refusals } from "../lib/invalid.js"

/** What is wrong with a call before any method sees it, or with what any method may refuse. */
export const rpcError = refusals({
  "rpc.bad_param": {
    says: "a parameter is not what it must be",
    reference:
      "couldn't unmarshal an argument. Ensure arguments are valid and properly formatted. See documentation for example calls",
  },
  "rpc.missing_param": "a parameter is missing",
})
