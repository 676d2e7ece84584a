import type { Call } from "../../client/client.js"
import { RemoteWallet } from "../../client/remoteWallet.js"
import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import { cliError } from "../errors.js"
import { remoteNodeFlags } from "../remoteNode.js"
import type { Terminal } from "../terminal.js"
import { type CommandInput, optionalFlag } from "./flags.js"
import { integerFlag, path } from "./flagTypes.js"
import { contentOf } from "./networkFlags.js"

/** The flags of commands that sign for a key. */
export const walletFlags = {
  ...remoteNodeFlags,
  "private-key-file": optionalFlag(
    path("FILE"),
    "File with the key as PrivateKey-… or as hex; without it the well-known key ewoq of local networks signs",
  ),
  account: optionalFlag(integerFlag(0, 999), "The account of a private chain that signs, by its number in the banner"),
}

/** Bytes of a file with a key. */
const MAX_KEY_FILE = 1024

/** The wallet of the key that the flags name, at a node. */
export async function walletOf(
  { account, "private-key-file": file }: CommandInput<typeof walletFlags>["flags"],
  call: Call,
  terminal: Terminal,
): Promise<RemoteWallet> {
  if (account !== undefined && file !== undefined) throw cliError("cli.flags_conflict", { flags: "--account --private-key-file" })
  const privateKey = account === undefined ? contentOf(undefined, file, MAX_KEY_FILE)?.trim() : await keyOfAccount(account, call)
  return RemoteWallet.open(call, { privateKey, now: wholeSeconds(terminal.now()) })
}

/** Returns the key of an account of a private chain. Throws `cli.unknown_account`. */
async function keyOfAccount(number: number, call: Call): Promise<string> {
  const { accounts } = await call("dev.accounts")
  const found = accounts.find((each) => each.number === number)
  if (!found) throw cliError("cli.unknown_account", { account: number, accounts: accounts.length - 2 })
  return found.privateKey
}
