import type { ForkOptions } from "../../sources/fork/openFork.js"
import { accountOptionsOf } from "../../sources/private/accounts.js"
import type { PrivateNode, PrivateNodeOptions } from "../../sources/private/privateNode.js"
import { checkWritable, readFileIfThere, readNamedFile } from "../files.js"
import { type CommandInput, flagWithDefault, optionalFlag } from "./flags.js"
import { amount, duration, gas, heightFlag, integerFlag, oneOfWords, onOff, path, text, timeFlag } from "./flagTypes.js"
import type { networkFlags } from "./networkFlags.js"
import { excludes, type FlagRule, needs } from "./withoutEffect.js"

/** The flags that only a private chain has. */
export const privateChainFlags = {
  fork: optionalFlag(
    path("DIR|URL"),
    "Starts on top of the chain in this data directory, of any network, or of the node at this URL, from which it is copied first. The chain is only read, and changes are stored separately (default directory: ~/.serac/fork)",
  ),
  "fork-height": optionalFlag(heightFlag, "The height of the block after which the fork begins (default: the last one)"),
  accounts: optionalFlag(
    integerFlag(0, 1000),
    "Number of funded accounts; on an existing chain those that own nothing are funded (default: 10 on a new chain with the built-in genesis, else 0)",
  ),
  mnemonic: optionalFlag(text, "Mnemonic phrase of the accounts' keys, 12 to 24 words of BIP-39 (default: test test … junk)"),
  balance: optionalFlag(amount, "Balance of each account, such as 5avax; 0avax for none (default: 100,000 AVAX)"),
  "block-mode": flagWithDefault(
    oneOfWords("auto", "interval", "manual"),
    "Block mode: when blocks are made of waiting transactions",
    "auto",
  ),
  "block-interval": flagWithDefault(duration, "Time between two blocks in block mode interval", 2000, "2s"),
  "warp-lag": flagWithDefault(onOff, "Verifies Warp messages at AvalancheGo's delayed heights and epochs", false),
  "no-renew-validators": flagWithDefault(onOff, "Lets the five validators leave after a year", false),
  "mempool-max-gas": optionalFlag(gas, "Maximum gas of all waiting transactions together (default: 10,000,000)"),
  "start-time": optionalFlag(timeFlag, "Time at which the clock of a new chain starts (default: now)"),
  "freeze-time": flagWithDefault(onOff, "Freezes the clock until a call moves it", false),
  reset: flagWithDefault(onOff, "Begins a new chain in place of the stored one; the users of the keystore stay", false),
  state: optionalFlag(
    path("FILE"),
    "Stores the chain in this file: starts from the file if it exists, and writes it when the node stops; without --data-dir nothing else is stored",
  ),
  "load-state": optionalFlag(path("FILE"), "Starts from a state file; it replaces the stored chain"),
  "dump-state": optionalFlag(path("FILE"), "Writes the state to a file when it stops"),
}

type PrivateChainInput = Pick<CommandInput<typeof privateChainFlags>, "flags" | "set">

type Choices = NonNullable<PrivateNodeOptions["producer"]>

/** Returns the choices about producing blocks from the flags. `isBuiltIn` is true if a new chain begins with the built-in genesis. */
export function producerChoicesOf({ flags, set }: PrivateChainInput, isBuiltIn: boolean): Choices {
  const { accounts: count, mnemonic, balance } = flags
  const mode = flags["block-mode"]
  return {
    blockMode: mode === "interval" ? { mode, seconds: flags["block-interval"] / 1000 } : { mode },
    hasWarpLag: flags["warp-lag"],
    renewsValidators: !flags["no-renew-validators"],
    poolGas: flags["mempool-max-gas"],
    startTime: flags["start-time"],
    isFrozen: set.has("freeze-time") ? flags["freeze-time"] : undefined,
    accounts: accountOptionsOf({ count, mnemonic, balance }, isBuiltIn),
  }
}

/** Returns the chain that the flags fork. */
export const forkOf = ({ flags: { fork: from, "fork-height": height } }: PrivateChainInput): ForkOptions | undefined =>
  from === undefined ? undefined : { from, height }

/** The state that a chain starts from, and the file that it is written to when the chain stops. */
export interface StateFiles {
  readonly loadState: Uint8Array | undefined
  readonly dumpTo: string | undefined
}

/** The maximum size of a packed state file, bytes: as much as `dev.loadState` accepts. */
const MAX_DUMP = 1 << 30

/** Reads the state that the flags name. Throws `cli.unreadable_file`, and `cli.unwritable_file` before it is too late. */
export function stateFilesOf({ flags }: PrivateChainInput): StateFiles {
  const dumpTo = flags.state ?? flags["dump-state"]
  // At the end it would be too late: a chain in memory would be lost.
  if (dumpTo !== undefined) checkWritable(dumpTo)
  if (flags.state !== undefined) return { loadState: readFileIfThere(flags.state, MAX_DUMP), dumpTo }
  const file = flags["load-state"]
  return { loadState: file === undefined ? undefined : readNamedFile(file, MAX_DUMP), dumpTo }
}

/** What the flags of a private chain need and exclude, as far as it is known before the chain is opened. */
export const privateChainRules: readonly FlagRule<typeof privateChainFlags & typeof networkFlags>[] = [
  needs("fork", ["fork-height"], "no chain is forked: add --fork"),
  excludes("state", ["load-state", "dump-state"], "--state names the file that is read and written"),
  {
    flags: ["block-interval"],
    applies: (flags) => flags["block-mode"] !== "interval",
    reason: "only --block-mode interval uses it",
  },
  { flags: ["mnemonic", "balance"], applies: ({ accounts }) => accounts === 0, reason: "there are no accounts: --accounts is 0" },
  {
    flags: ["mnemonic", "balance"],
    applies: (flags) => (flags["genesis-file"] ?? flags["genesis-file-content"]) !== undefined && flags.accounts === undefined,
    reason: "a chain with a genesis file has no accounts unless --accounts says how many",
  },
]

/** The flags that have no effect on a chain that existed before, which may have been given when it was made. */
export function existingChainRules(
  { data, fork }: Pick<PrivateNode, "data" | "fork">,
  set: ReadonlyMap<string, string>,
): readonly FlagRule[] {
  const isNew = fork?.isNew ?? data.isNew
  return [
    {
      flags: ["start-time"],
      applies: () => !isNew,
      reason: "the chain exists and continues with its own clock: dev.setTime moves it, --reset starts again from genesis",
      refused: "never",
    },
    {
      flags: ["balance"],
      applies: () => !isNew && !set.has("accounts"),
      reason: "the chain exists: --accounts funds accounts that own nothing, --reset starts again from genesis",
      refused: "never",
    },
  ]
}
