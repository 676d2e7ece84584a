import { getChainAliases } from "./getChainAliases.js"

/** The methods of AvalancheGo's `admin` that a P-Chain node can answer without changing itself. */
export const adminMethods = [getChainAliases] as const
