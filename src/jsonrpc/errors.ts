import { refusals } from "../core/lib/invalid.js"

const cannotUnmarshal =
  "couldn't unmarshal an argument. Ensure arguments are valid and properly formatted. See documentation for example calls"

/** What is wrong with a call before any method sees it, or what any method may refuse. */
export const rpcError = refusals({
  "rpc.not_json": { says: "the request is not JSON", reference: ({ reason }) => String(reason) },
  "rpc.bad_request": { says: "the request is not a JSON-RPC 2.0 request", reference: "jsonrpc must be 2.0" },
  "rpc.bad_batch": "a batch holds 1 to 100 requests",
  "rpc.unknown_method": { says: "there is no such method at this path", reference: ({ reference }) => String(reference) },
  "rpc.bad_param": { says: "a parameter is not what it must be", reference: cannotUnmarshal },
  "rpc.missing_param": { says: "a parameter is missing", reference: cannotUnmarshal },
  "rpc.not_public": { says: "this method is not available on a public server", reference: ({ reference }) => String(reference) },
  "rpc.foreign_origin":
    "pages of this origin may read but not write: start the node with --http-allowed-origins and its name to allow it",
  "rpc.too_many_requests": "this client asks too much: wait and ask again",
  "rpc.busy": "the server is busy: wait and ask again",
  "rpc.too_large": "the request is too large",
  "rpc.too_many_pieces": "the request comes in too many pieces",
  "rpc.answer_too_large": "the answer would be too large: ask for less, or for fewer things in one batch",
  "rpc.unknown_asset": { says: "this chain has no such asset", reference: ({ reference }) => String(reference) },
})
