import type { Call } from "../../client/client.js"
import { type IssuedTx, RemoteWallet } from "../../client/remoteWallet.js"
import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import { cliError } from "../errors.js"
import { remoteNodeFlags } from "../remoteNode.js"
import type { Terminal } from "../terminal.js"
import { type CommandInput, flagWithDefault, optionalFlag } from "./flags.js"
import { integerFlag, onOff, path } from "./flagTypes.js"
import { contentOf } from "./networkFlags.js"
import { excludes, type FlagRule } from "./withoutEffect.js"

/** The flags of commands that sign for a key. */
export const walletFlags = {
  ...remoteNodeFlags,
  "private-key-file": optionalFlag(
    path("FILE"),
    "File with the key as PrivateKey-… or as hex; without it the well-known key ewoq of local networks signs",
  ),
  account: optionalFlag(integerFlag(0, 999), "The account of a private chain that signs, by its number in serac dev accounts"),
}

/** What these flags exclude. */
export const walletRules: readonly FlagRule[] = [
  { ...excludes("account", ["private-key-file"], "the key of --account signs: give one of the two"), refused: "always" },
]

/** The flag of commands that wait for the decision about a transaction. */
export const decisionFlags = {
  "no-wait": flagWithDefault(onOff, "Does not wait until the network has decided the transaction", false),
}

/** Milliseconds between two questions for the status of a transaction, and the time after which the command waits no longer. */
const [ASK_EVERY_MS, PATIENCE_MS] = [200, 60_000]

/**
 * Waits until the network has decided a transaction that a command has issued, and returns its status: `Processing` if that takes longer
 * than a minute, or at once with --no-wait. Throws `cli.tx_dropped`.
 */
export async function decidedStatus(
  { txID, status }: IssuedTx,
  { "no-wait": hasNoWait }: CommandInput<typeof decisionFlags>["flags"],
  statusOf: (txID: string) => Promise<{ readonly status: string; readonly reason?: string | undefined }>,
  terminal: Terminal,
): Promise<string> {
  if (status !== "Processing" || hasNoWait) return status
  terminal.note("waiting until the network has decided the transaction (--no-wait ends before)\n")
  const end = terminal.now() + PATIENCE_MS
  while (terminal.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
    const { status: now, reason } = await statusOf(txID)
    if (now === "Dropped") throw cliError("cli.tx_dropped", { txID, reason: reason ?? "" })
    if (now !== "Processing") return now
  }
  return status
}

/** Asks a node for the status of a transaction of the P-Chain. */
export const statusAt = (call: Call) => (txID: string) => call("platform.getTxStatus", { txID })

/** Bytes of a file with a key. */
const MAX_KEY_FILE = 1024

/** The wallet of the key that the flags name, at a node. */
export async function walletOf(
  flags: CommandInput<typeof walletFlags>["flags"],
  call: Call,
  terminal: Terminal,
): Promise<RemoteWallet> {
  return RemoteWallet.open(call, { privateKey: await privateKeyOf(flags, call), now: wholeSeconds(terminal.now()) })
}

/** The key that the flags name; `undefined` if they name none. */
export async function privateKeyOf(
  { account, "private-key-file": file }: CommandInput<typeof walletFlags>["flags"],
  call: Call,
): Promise<string | undefined> {
  return account === undefined ? contentOf(undefined, file, MAX_KEY_FILE)?.trim() : keyOfAccount(account, call)
}

/** Returns the key of an account of a private chain. Throws `cli.unknown_account`. */
async function keyOfAccount(number: number, call: Call): Promise<string> {
  const { accounts } = await call("dev.accounts")
  const found = accounts.find((each) => each.number === number)
  if (!found) throw cliError("cli.unknown_account", { account: number, accounts: accounts.length - 2 })
  return found.privateKey
}
