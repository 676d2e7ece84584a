import { chainIDOf } from "../../../core/networks/aliases.js"
import { type ID, P_CHAIN_ID } from "../../../core/types/id.js"
import type { Context } from "../../context.js"

/** Returns the chain with this exact name; `undefined` if there is none. */
export function chainOf({ node }: Pick<Context, "node">, name: string): ID | undefined {
  // IDs are printed as text only for other names than `P`, the usual one.
  return name === "P" ? P_CHAIN_ID : chainIDOf(name, node.genesis)
}
