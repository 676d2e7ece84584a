import { type ID, idText, P_CHAIN_ID } from "../types/id.js"
import { networkError } from "./errors.js"

/** The chains that genesis made beside the P-Chain: found there by their VMs. */
export interface GenesisChains {
  readonly xChainID: ID
  readonly cChainID: ID
}

type Named = readonly [id: ID, ...names: string[]]

/** Every chain that has names, its primary one first. The P-Chain has one ID on every network. */
function named({ xChainID, cChainID }: GenesisChains): readonly Named[] {
  return [
    [P_CHAIN_ID, "P", "platform"],
    [xChainID, "X", "avm"],
    [cChainID, "C", "evm"],
  ]
}

/**
 * The chain of this name, in exactly this spelling; a chain's own ID is one of its names. The IDs of X and C are known
 * though nobody runs them here: clients name chains by them. No other text is taken for an ID.
 */
export function chainIDOf(alias: string, chains: GenesisChains): ID | undefined {
  const all = named(chains)
  const found = all.find(([, ...names]) => names.includes(alias)) ?? all.find(([id]) => idText(id) === alias)
  return found?.[0]
}

/** The names of a chain, its ID last; none for a chain that genesis did not make. */
export function aliasesOf(chainID: ID, chains: GenesisChains): readonly string[] {
  const [, ...names] = named(chains).find(([id]) => id === chainID) ?? []
  return names.length === 0 ? [] : [...names, idText(chainID)]
}

/** The chain of this name; throws `network.unknown_alias`. */
export function requireChainID(alias: string, chains: GenesisChains): ID {
  const id = chainIDOf(alias, chains)
  if (id === undefined) throw networkError("network.unknown_alias", { alias })
  return id
}
