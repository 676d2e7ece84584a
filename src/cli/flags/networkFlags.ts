import { Buffer } from "node:buffer"
import type { Json } from "../../core/lib/json.js"
import type { FlagValue } from "../../core/networks/flagValue.js"
import { LOCAL_ID } from "../../core/networks/names.js"
import { type RuleFlag, ruleFlags } from "../../core/networks/ruleFlags.js"
import { readNamedFile } from "../files.js"
import { type Flag, type FlagType, flagWithDefault, optionalFlag } from "./flags.js"
import { network, path, text } from "./flagTypes.js"
import { excludes, type FlagRule } from "./withoutEffect.js"

/** The flags that select a network and its genesis. The names are AvalancheGo's. */
export const networkFlags = {
  "network-id": flagWithDefault(network, "Network: local, fuji, mainnet, or a number", LOCAL_ID, "local"),
  "genesis-file": optionalFlag(path("FILE"), "Genesis file in AvalancheGo's format, plain or gzip; mainnet and fuji have theirs"),
  "genesis-file-content": optionalFlag(text, "The same as base64; has priority over the file"),
}

/** What these flags exclude. */
export const networkRules: readonly FlagRule[] = [
  excludes("genesis-file-content", ["genesis-file"], "--genesis-file-content is given, too, and has priority"),
]

interface GenesisFlags {
  readonly "genesis-file": string | undefined
  readonly "genesis-file-content": string | undefined
}

/** Returns the text of the genesis file that the flags name, if they name one. */
export function genesisTextOf(flags: GenesisFlags): string | undefined {
  return contentOf(flags["genesis-file-content"], flags["genesis-file"])
}

/** Returns the content of a file of at most `limit` bytes, given as base64 or by its path. */
export function contentOf(content: string | undefined, file: string | undefined, limit?: number): string | undefined {
  if (content !== undefined) return Buffer.from(content, "base64").toString("utf8")
  return file === undefined ? undefined : new TextDecoder().decode(readNamedFile(file, limit))
}

/** A rule's value as it was given: text, or a number of the configuration. `applyRuleFlags` reads it. */
const ruleValue = (kind: string): FlagType<FlagValue> => ({
  value: kind.toUpperCase().replaceAll(" ", "-"),
  expects: kind,
  read: (given: Json) =>
    typeof given === "string" || typeof given === "number" || typeof given === "bigint" ? given : undefined,
})

/** Returns a flag that sets a rule of a private network, for the commands that have it. */
export function ruleFlagOf({ kind, help }: RuleFlag): Flag<FlagValue | undefined> {
  return optionalFlag(ruleValue(kind), help)
}

/** All flags that set a rule. */
export const ruleFlagSet: Readonly<Record<string, Flag<FlagValue | undefined>>> = Object.fromEntries(
  ruleFlags.map((flag) => [flag.name, ruleFlagOf(flag)]),
)
