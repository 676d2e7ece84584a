import type { ChainTurn } from "./chainTurn.js"
import { fundAccounts } from "./fundAccounts.js"

/** Continues a chain that was opened, loaded or reset: funds the accounts of a new one, and makes the blocks that are due. */
export async function beginChain(chain: ChainTurn): Promise<void> {
  chain.decideWaiting()
  const accounts = chain.options.choices?.accounts
  const isNew = chain.status.lastAccepted.height === 0n
  if (isNew && accounts && accounts.count > 0 && accounts.balance !== 0n) fundAccounts(accounts, chain)
  await chain.catchUp()
}
