import { Invalid } from "../../core/lib/invalid.js"
import { tables } from "../../core/state/tables.js"
import type { IndexedView } from "../../core/state/view.js"
import { type AccountOptions, DEFAULT_BALANCE } from "../keys/accounts.js"
import type { SigningKey } from "../keys/key.js"
import type { ChainTurn } from "./chainTurn.js"
import { fundAccounts } from "./fundAccounts.js"

/**
 * Continues a chain that was opened, loaded or reset: makes the blocks that are due, and funds accounts. The accounts of a new chain are
 * funded in its first block. On an existing chain, accounts that own nothing are funded if an option asked for accounts. A chain that
 * cannot make its next block is continued without.
 */
export async function beginChain(chain: ChainTurn, { isNew }: { readonly isNew: boolean }): Promise<void> {
  const { accounts } = chain.options.choices ?? {}
  const wanted = accounts && accounts.balance !== 0n ? accounts : undefined
  if (wanted && isNew) await fundNewAccounts(wanted, chain)
  if (!(await chain.resume())) return
  if (wanted && !isNew && !wanted.isDefault) await fundMissingAccounts(wanted, chain)
}

/**
 * Funds the accounts of a new chain. The default accounts are omitted if the chain's rules do not allow the payment, unless an option set
 * their balance.
 */
async function fundNewAccounts(accounts: AccountOptions, chain: ChainTurn): Promise<void> {
  const mayOmit = accounts.isDefault && accounts.balance === undefined
  if (mayOmit && !chain.treasury.canPay) return
  try {
    await fund(accounts, chain.accountKeys(), chain)
  } catch (error) {
    if (!mayOmit || !(error instanceof Invalid)) throw error
    chain.log.warn("accounts not funded", { reason: error.message })
  }
}

async function fundMissingAccounts(accounts: AccountOptions, chain: ChainTurn): Promise<void> {
  const view = chain.written()
  const missing = chain.accountKeys().filter((key) => ownsNothing(view, key))
  await fund(accounts, missing, chain)
  if (missing.length > 0) chain.log.info("accounts funded", { accounts: missing.length, of: accounts.count })
}

async function fund({ balance = DEFAULT_BALANCE }: AccountOptions, keys: readonly SigningKey[], chain: ChainTurn): Promise<void> {
  if (keys.length > 0) await fundAccounts(keys, balance, chain)
}

function ownsNothing(view: IndexedView, { address }: SigningKey): boolean {
  for (const _ of view.rows(tables.utxosByOwner, { under: { owner: address } })) return false
  return true
}
