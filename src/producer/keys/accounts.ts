import { AVAX } from "../../core/networks/params.js"
import { keyOfSecret, type SigningKey } from "./key.js"
import { childrenOf, DEFAULT_MNEMONIC, keyAt, masterKeyOf, seedOf } from "./mnemonic.js"

/** Further funded accounts (`--accounts`, `--mnemonic`, `--balance`). */
export interface AccountOptions {
  readonly count: number
  readonly mnemonic?: string | undefined
  /** The balance of each account, nAVAX. */
  readonly balance?: bigint | undefined
  /** True if no option asked for accounts. They are then funded only on a new chain. */
  readonly isDefault?: boolean | undefined
}

export const DEFAULT_BALANCE = 100_000n * AVAX

/** The path of the keys of accounts, without the number of the account. */
export const ACCOUNTS_PATH = "m/44'/9000'/0'/0"

/** Returns a function that derives the keys of accounts on its first call. */
export function lazyAccounts(options: AccountOptions | undefined): () => readonly SigningKey[] {
  let keys: readonly SigningKey[] | undefined
  return () => {
    keys ??= options ? accountsOf(options) : []
    return keys
  }
}

/** Derives the keys of a phrase along the path of Avalanche's wallets: `m/44'/9000'/0'/0/i`. It takes some milliseconds. */
export function accountsOf({ count, mnemonic = DEFAULT_MNEMONIC }: AccountOptions): readonly SigningKey[] {
  if (count === 0) return []
  const parent = keyAt(masterKeyOf(seedOf(mnemonic)), ACCOUNTS_PATH)
  return childrenOf(parent, count).map(({ secret }) => keyOfSecret(secret))
}
