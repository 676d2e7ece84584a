import type { FlagValue } from "../../core/networks/flagValue.js"
import { ruleFlags } from "../../core/networks/ruleFlags.js"
import { requireUpgradeName, upTo } from "../../core/networks/upgrades.js"
import type { RequestedChain } from "../../datadir/requestedChain.js"
import { type CommandInput, flagWithDefault, optionalFlag } from "./flags.js"
import { oneOfWords, onOff, path, text } from "./flagTypes.js"
import { contentOf, genesisTextOf, networkFlags, networkRules, ruleFlagSet } from "./networkFlags.js"
import { excludes, type FlagRule } from "./withoutEffect.js"

/** The flags that select a chain: network, genesis, upgrades, rules. Values in the store may be omitted. */
export const chainFlags = {
  ...networkFlags,
  "upgrade-file": optionalFlag(path("FILE"), "Upgrade times in AvalancheGo's format; on the local network too"),
  "upgrade-file-content": optionalFlag(text, "The same as base64; the file has priority"),
  upgrade: optionalFlag(text, "Everything up to this upgrade is active from genesis on, such as etna, granite or helicon"),
  ...ruleFlagSet,
}

/** What these flags exclude. */
export const chainRules: readonly FlagRule[] = [
  ...networkRules,
  excludes("upgrade-file", ["upgrade-file-content"], "--upgrade-file is given, too, and has priority"),
]

/** Flags for the place of the data. */
export const dataFlags = {
  "data-dir": optionalFlag(path("DIR"), "Directory of the chain (default: ~/.serac/<network>)"),
}

/** The flags of commands that write to the directory. */
export const writeFlags = {
  "shared-volume": flagWithDefault(
    onOff,
    "Opens a directory on a network volume, where no lock excludes other machines: use it from one process only",
    false,
  ),
}

/** The flags of commands that extend a chain or answer for it. */
export const historyFlags = {
  history: flagWithDefault(
    oneOfWords("on", "off"),
    "The tables for explorers: on adds what is missing when the chain is opened, off leaves them as they are",
    "on",
  ),
}

/** Returns the chain that the flags select. */
export function chainChoiceOf({ flags, set }: CommandInput<typeof chainFlags>, now: bigint): RequestedChain {
  const given = ruleFlags
    .filter(({ name }) => set.has(name))
    .map(({ name }) => [name, (flags as Record<string, FlagValue>)[name]])
  // If both are given AvalancheGo uses the file, unlike for genesis.
  const fileText = contentOf(undefined, flags["upgrade-file"]) ?? contentOf(flags["upgrade-file-content"], undefined)
  const named = flags.upgrade === undefined ? undefined : upTo(requireUpgradeName(flags.upgrade))
  return {
    networkID: set.has("network-id") ? flags["network-id"] : undefined,
    genesisText: genesisTextOf(flags),
    upgrades: fileText ?? named,
    ruleFlags: Object.fromEntries(given),
    now,
  }
}
