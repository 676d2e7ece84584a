import type { Call } from "../../client/client.js"
import { RemoteWallet } from "../../client/remoteWallet.js"
import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import { remoteNodeFlags } from "../remoteNode.js"
import type { Terminal } from "../terminal.js"
import { type CommandInput, optionalFlag } from "./flags.js"
import { path } from "./flagTypes.js"
import { contentOf } from "./networkFlags.js"

/** The flags of commands that sign for a key. */
export const walletFlags = {
  ...remoteNodeFlags,
  "private-key-file": optionalFlag(
    path("FILE"),
    "File with the key as PrivateKey-…; without it the well-known key ewoq of local networks signs",
  ),
}

/** Bytes of a file with a key. */
const MAX_KEY_FILE = 1024

/** The wallet of the key that the flags name, at a node. */
export function walletOf(
  flags: CommandInput<typeof walletFlags>["flags"],
  call: Call,
  terminal: Terminal,
): Promise<RemoteWallet> {
  const privateKey = contentOf(undefined, flags["private-key-file"], MAX_KEY_FILE)?.trim()
  return RemoteWallet.open(call, { privateKey, now: wholeSeconds(terminal.now()) })
}
