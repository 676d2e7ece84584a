import { rpcError } from "../../jsonrpc/errors.js"
import type { NodePort } from "../context.js"

/**
 * Throws `rpc.no_x_chain` on a node of a network whose X-Chain others run: that chain has a height and funds, which this node does not know. Beside
 * a private chain there is no X-Chain, and so nothing on it.
 */
export function requirePrivateChain({ isPrivate }: NodePort): void {
  if (!isPrivate) throw rpcError("rpc.no_x_chain")
}
