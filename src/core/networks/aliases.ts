import { type ID, idText, P_CHAIN_ID } from "../types/id.js"
import { networkError } from "./errors.js"

/** The chains that genesis creates beside the P-Chain, found by their VMs. */
export interface GenesisChains {
  readonly xChainID: ID
  readonly cChainID: ID
}

type NamedChain = readonly [id: ID, ...names: string[]]

/** Returns every chain with its names, the primary one first. The P-Chain has one ID on every network. */
function namedChains({ xChainID, cChainID }: GenesisChains): readonly NamedChain[] {
  return [
    [P_CHAIN_ID, "P", "platform"],
    [xChainID, "X", "avm"],
    [cChainID, "C", "evm"],
  ]
}

/**
 * Returns the chain with exactly this name. A chain's own ID is one of its names. The IDs of X and C are known although they do not run
 * here, because clients name chains by them. No other text is read as an ID.
 */
export function chainIDOf(alias: string, chains: GenesisChains): ID | undefined {
  const all = namedChains(chains)
  const found = all.find(([, ...names]) => names.includes(alias)) ?? all.find(([id]) => idText(id) === alias)
  return found?.[0]
}

/** Returns the names of a chain, its ID last; none for a chain that genesis did not create. */
export function aliasesOf(chainID: ID, chains: GenesisChains): readonly string[] {
  const [, ...names] = namedChains(chains).find(([id]) => id === chainID) ?? []
  return names.length === 0 ? [] : [...names, idText(chainID)]
}

/** Returns the chain with this name. Throws `network.unknown_alias`. */
export function requireChainID(alias: string, chains: GenesisChains): ID {
  const id = chainIDOf(alias, chains)
  if (id === undefined) throw networkError("network.unknown_alias", { alias })
  return id
}
