import { escapeLine } from "../core/lib/escapeControls.js"
import { groupThousands } from "../core/lib/groupThousands.js"
import { AVAX } from "../core/networks/params.js"
import type { Account } from "../sources/private/accounts.js"

/** Number of accounts that the banner shows. */
const MAX_SHOWN = 3

/** An account as lists show it. */
export type ListedAccount = Pick<Account, "address" | "balance" | "privateKey">

/** Facts about the accounts of a banner. */
export interface AccountListOptions {
  /** The phrase that the keys come from. */
  readonly mnemonic: string
  /** The path of the keys below the phrase, without the number of the account. */
  readonly path: string
  /** The command that lists all accounts. */
  readonly listing: string
}

/** Prints the first accounts of a private chain with their keys, then the key that owns the funds of AvalancheGo's local network. */
export function accountList(
  [ewoq, , ...accounts]: readonly ListedAccount[],
  { mnemonic, path, listing }: AccountListOptions,
): string {
  if (!ewoq) return ""
  const shown = accounts.slice(0, MAX_SHOWN).map((account, i) => shortText(`(${i})`, account))
  const all = accounts.length === 0 ? "the keys" : `all ${groupThousands(accounts.length)}`
  return `Accounts (their keys are public: never use them elsewhere)

${shown.join("")}${shortText("ewoq", ewoq)}${listing} shows ${all}, also in the form of EVM wallets
${accounts.length === 0 ? "" : `\nMnemonic  ${mnemonic}, ${path}/i\n`}`
}

/** Prints an account on two lines. */
const shortText = (name: string, { address, balance, privateKey }: ListedAccount) =>
  `${name.padEnd(6)}${address}  ${balanceText(balance)}\n      ${privateKey}\n`

/** Prints one account on four lines. Hex is the key in the form of EVM wallets. */
export function accountText(
  name: string,
  account: Readonly<Record<"address" | "evmAddress" | "privateKey" | "privateKeyHex", string>> & Pick<Account, "balance">,
): string {
  const { address, balance, evmAddress, privateKey, privateKeyHex } = account
  return `${name.padEnd(6)}${escapeLine(address)}  ${balanceText(balance)}
      EVM  ${evmAddress}
      Key  ${privateKey}
      Hex  ${privateKeyHex}
`
}

const balanceText = (balance: bigint) => `${groupThousands(balance / AVAX)} AVAX`
