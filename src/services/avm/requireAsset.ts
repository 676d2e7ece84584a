import { Invalid } from "../../core/lib/invalid.js"
import { type ID, parseID } from "../../core/types/id.js"
import { rpcError } from "../../jsonrpc/errors.js"

/** Checks that a text names AVAX, by its alias or its ID. Throws `rpc.unknown_asset`: this node runs no X-Chain and knows no other asset. */
export function requireAsset(text: string, avaxAssetID: ID): void {
  if (text === "AVAX") return
  let reference = "not found"
  try {
    if (parseID(text) === avaxAssetID) return
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    reference = `asset '${text}' not found`
  }
  throw rpcError("rpc.unknown_asset", { assetID: text, reference })
}
