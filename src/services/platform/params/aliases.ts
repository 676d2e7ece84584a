import { chainIDOf } from "../../../core/networks/aliases.js"
import { type ID, P_CHAIN_ID } from "../../../core/types/id.js"
import type { Context } from "../../context.js"

/** The chain of a name, exactly as it is spelled; `undefined` if there is none. */
export function chainOf({ node }: Pick<Context, "node">, name: string): ID | undefined {
  // IDs are text-coded only when something else than the everyday name is asked for.
  return name === "P" ? P_CHAIN_ID : chainIDOf(name, node.genesis)
}
