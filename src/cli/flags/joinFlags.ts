import { bootstrappersOf } from "../../core/networks/bootstrappers.js"
import type { JoinSettings } from "../../sources/joined/joinOptions.js"
import { type CommandInput, flagWithDefault, optionalFlag } from "./flags.js"
import { integerFlag, onOff, text, words } from "./flagTypes.js"
import type { networkFlags } from "./networkFlags.js"
import { networkSettingsOf, peerFlags } from "./peerFlags.js"
import { excludes, type FlagRule } from "./withoutEffect.js"

const MAX_SAMPLE = 1_000_000

/** The flags of a node that joins a network. Names and meanings are AvalancheGo's. */
export const joinFlags = {
  "bootstrap-ips": optionalFlag(
    words,
    "Addresses of the nodes to join a network with, such as 127.0.0.1:9651 (default: five of mainnet's or fuji's own)",
  ),
  "bootstrap-ids": optionalFlag(words, "Node IDs of these nodes, in the same order"),
  "staking-host": flagWithDefault(text, "Address to listen at for other nodes; empty for all", ""),
  "staking-port": flagWithDefault(integerFlag(0, 65_535), "Port to listen at for other nodes; 0 takes a free one", 9651),
  "public-ip": optionalFlag(text, "Address that the node announces to other nodes (default: 127.0.0.1)"),
  "serve-while-syncing": flagWithDefault(
    onOff,
    "Answers calls about the P-Chain from the blocks executed so far, instead of with 503",
    false,
  ),
  "network-allow-private-ips": flagWithDefault(onOff, "Dials private addresses on mainnet and fuji too", false),
  "snow-sample-size": optionalFlag(integerFlag(1, MAX_SAMPLE), "Size of the sample of stake in a poll (default: 20)"),
  "snow-quorum-size": optionalFlag(integerFlag(1, MAX_SAMPLE), "Votes that a poll needs, for both quorums (default: 15)"),
  "snow-preference-quorum-size": optionalFlag(integerFlag(1, MAX_SAMPLE), "Votes that change the preference (default: 15)"),
  "snow-confidence-quorum-size": optionalFlag(integerFlag(1, MAX_SAMPLE), "Votes that raise the confidence (default: 15)"),
  "snow-commit-threshold": optionalFlag(integerFlag(1, MAX_SAMPLE), "Polls in a row that decide (default: 20)"),
  "snow-concurrent-repolls": optionalFlag(
    integerFlag(1, MAX_SAMPLE),
    "Polls in flight while something is undecided (default: 4)",
  ),
  ...peerFlags,
}

const ALONE = "the node joins no network: --bootstrap-ips and --bootstrap-ids name the nodes to join with"

/** What these flags need and exclude. */
export const joinRules: readonly FlagRule<typeof joinFlags & typeof networkFlags>[] = [
  { flags: ["serve-while-syncing"], applies: (flags) => !joinsNetwork(flags), reason: ALONE },
  // These are AvalancheGo's flags, and a command line for a local network of AvalancheGo starts here unchanged.
  {
    flags: Object.keys(joinFlags).filter((name) => name !== "serve-while-syncing"),
    applies: (flags) => !joinsNetwork(flags),
    reason: ALONE,
    refused: "never",
  },
  excludes(
    "snow-quorum-size",
    ["snow-preference-quorum-size", "snow-confidence-quorum-size"],
    "--snow-quorum-size is given, too, and sets both quorums",
  ),
]

/** Returns whether a node joins a network: it has bootstrappers, named ones or the network's own. */
export function joinsNetwork(flags: CommandInput<typeof joinFlags & typeof networkFlags>["flags"]): boolean {
  const { "bootstrap-ips": ips, "bootstrap-ids": ids, "network-id": networkID } = flags
  return (ips ?? ids ?? bootstrappersOf[networkID] ?? []).length > 0
}

/** Returns the settings for joining a network that the flags give. */
export function joinSettingsOf(flags: CommandInput<typeof joinFlags>["flags"]): JoinSettings {
  const quorum = flags["snow-quorum-size"]
  return {
    bootstrapIPs: flags["bootstrap-ips"],
    bootstrapIDs: flags["bootstrap-ids"],
    host: flags["staking-host"],
    port: flags["staking-port"],
    publicIP: flags["public-ip"],
    dialsPrivate: flags["network-allow-private-ips"],
    servesWhileSyncing: flags["serve-while-syncing"],
    parameters: {
      k: flags["snow-sample-size"],
      alphaPreference: quorum ?? flags["snow-preference-quorum-size"],
      alphaConfidence: quorum ?? flags["snow-confidence-quorum-size"],
      beta: flags["snow-commit-threshold"],
      concurrentRepolls: flags["snow-concurrent-repolls"],
    },
    network: networkSettingsOf(flags),
  }
}
