import { rpcError } from "../../jsonrpc/errors.js"
import type { NodePort } from "../context.js"

/**
 * Throws `rpc.no_x_chain` on a node of a network with an X-Chain, whose height and funds this node does not know. A private chain has no
 * X-Chain, so nothing is on it.
 */
export function requirePrivateChain({ isPrivate }: NodePort): void {
  if (!isPrivate) throw rpcError("rpc.no_x_chain")
}
