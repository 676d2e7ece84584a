import { getChainAliases } from "./getChainAliases.js"
import { getLoggerLevel } from "./getLoggerLevel.js"
import { setLoggerLevel } from "./setLoggerLevel.js"

/** The methods of AvalancheGo's `admin` that make sense for a P-Chain node: the names of chains, and the level of the log. */
export const adminMethods = [getChainAliases, getLoggerLevel, setLoggerLevel] as const
