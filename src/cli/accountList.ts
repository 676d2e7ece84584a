import type { Account } from "../chains/private/accounts.js"
import { groupThousands } from "../core/lib/groupThousands.js"
import { AVAX } from "../core/networks/params.js"

/** Number of accounts that the banner shows. */
const MAX_SHOWN = 10

/** Facts about all listed accounts. */
export interface AccountListOptions {
  /** The phrase that the keys come from. */
  readonly mnemonic: string
  /** The path of the keys below the phrase, without the number of the account. */
  readonly path: string
}

/** Prints the funded accounts of a private chain: addresses, keys, and their phrase; empty if there are none. */
export function accountList(accounts: readonly Account[], { mnemonic, path }: AccountListOptions): string {
  if (accounts.length === 0) return ""
  const rest = accounts.length - MAX_SHOWN
  return `Accounts (their keys are public: never use them elsewhere)

${accounts
  .slice(0, MAX_SHOWN)
  .map((account, i) => accountText(`(${i})`, account))
  .join("")}${rest > 0 ? `… and ${groupThousands(rest)} more, which --json lists\n` : ""}
Mnemonic  ${mnemonic}
Path      ${path}/i

`
}

/** The keys that own the funds of AvalancheGo's local network. */
export function ownKeyList([ewoq, vmRQ]: readonly Account[], isFork: boolean): string {
  if (!ewoq || !vmRQ) return ""
  const stake = isFork ? "" : "      owns the stake of the five validators, which comes back when they leave\n"
  return `Keys of the local network${isFork ? ", which are publicly known" : " itself"}

${accountText("ewoq", ewoq)}${accountText("vmRQ", vmRQ)}${stake}`
}

/** Prints one account on four lines. Hex is the key in the form of EVM wallets. */
function accountText(name: string, { address, balance, evmAddress, privateKey, privateKeyHex }: Account): string {
  return `${name.padEnd(6)}${address}  ${groupThousands(balance / AVAX)} AVAX
      EVM  ${evmAddress}
      Key  ${privateKey}
      Hex  ${privateKeyHex}
`
}
