import { type ID, idText, P_CHAIN_ID } from "../../types/id.js"
import type { Context, NodePort } from "../context.js"

/** The chains of the primary network by the names that clients use, their IDs among them. The first of each is its address prefix. */
export function aliasesOf({ genesis: { xChainID, cChainID } }: Pick<NodePort, "genesis">): ReadonlyMap<string, ID> {
  const chains: readonly [ID, ...string[]][] = [
    [P_CHAIN_ID, "P", "platform"],
    [xChainID, "X", "avm"],
    [cChainID, "C", "evm"],
  ]
  return new Map(chains.flatMap(([id, ...names]) => [...names, idText(id)].map((name) => [name, id] as const)))
}

/** The chain of a name, exactly as it is spelled; `undefined` where there is none. */
export function chainOf(context: Context, name: string): ID | undefined {
  // IDs are text-coded only when something else than the everyday name is asked for.
  if (name === "P") return P_CHAIN_ID
  return context.cached("platform.aliases", () => aliasesOf(context.node)).get(name)
}
