import { AVAX } from "../../core/networks/params.js"
import { type Key, keyOfSecret } from "./key.js"
import { DEFAULT_MNEMONIC, keyAt, masterKeyOf, seedOf } from "./mnemonic.js"

/** Further funded accounts (`--accounts`, `--mnemonic`, `--balance`). */
export interface AccountOptions {
  readonly count: number
  readonly mnemonic?: string | undefined
  /** nAVAX for each. */
  readonly balance?: bigint | undefined
  /** True where nobody asked for accounts: then they are funded on a new chain, and not on one that exists. */
  readonly isDefault?: boolean | undefined
}

export const DEFAULT_BALANCE = 100_000n * AVAX

/** The path of the keys of accounts, without the number of the account. */
export const ACCOUNTS_PATH = "m/44'/9000'/0'/0"

/** The keys of a phrase along the path that Avalanche's wallets use: `m/44'/9000'/0'/0/i`. */
export function accountsOf({ count, mnemonic = DEFAULT_MNEMONIC }: AccountOptions): Key[] {
  if (count === 0) return []
  const parent = keyAt(masterKeyOf(seedOf(mnemonic)), ACCOUNTS_PATH)
  return Array.from({ length: count }, (_, i) => keyOfSecret(keyAt(parent, `m/${i}`).secret))
}
