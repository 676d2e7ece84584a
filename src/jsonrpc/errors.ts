import { refusals } from "../core/lib/invalid.js"

const cannotUnmarshal =
  "couldn't unmarshal an argument. Ensure arguments are valid and properly formatted. See documentation for example calls"

/** The maximum number of characters of a parameter's name that a refusal repeats. */
const MAX_SHOWN = 64

/** Errors of calls that are found before a method runs, or that any method can throw. */
export const rpcError = refusals({
  "rpc.not_json": { sentence: "the request is not JSON", avalanchegoMessage: ({ reason }) => String(reason) },
  "rpc.bad_request": { sentence: "the request is not a JSON-RPC 2.0 request", avalanchegoMessage: "jsonrpc must be 2.0" },
  "rpc.bad_batch": "a batch holds 1 to 100 requests",
  "rpc.unknown_method": "there is no such method at this path",
  "rpc.bad_param": { sentence: "a parameter does not have the required form", avalanchegoMessage: cannotUnmarshal },
  "rpc.missing_param": { sentence: "a parameter is missing", avalanchegoMessage: cannotUnmarshal },
  "rpc.unknown_param": {
    sentence: "this method has no such parameter",
    // This dialect has no data, so the sentence names the parameter.
    avalanchegoMessage: ({ param, didYouMean }) =>
      `this method has no such parameter: ${String(param).slice(0, MAX_SHOWN)}${didYouMean === undefined ? "" : ` (did you mean ${didYouMean}?)`}`,
  },
  "rpc.not_public": "this method is not available on a public server",
  "rpc.foreign_origin":
    "pages of this origin may read but not write: start the node with --http-allowed-origins and its name to allow it",
  "rpc.too_many_requests": "this client sent too many requests: wait and try again",
  "rpc.busy": "the server is busy: wait and try again",
  "rpc.too_large": "the request is too large",
  "rpc.too_many_pieces": "the request body arrived in too many chunks",
  "rpc.answer_too_large": "the answer would be too large: ask for less, or for fewer things in one batch",
  "rpc.no_x_chain": "this node does not run the X-Chain of its network: ask a node that does",
  "rpc.unknown_asset": "this chain has no such asset",
})
