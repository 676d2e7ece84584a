import type { Log } from "../../core/lib/log.js"
import type { Tx } from "../../core/txs/tx.js"
import type { ChainHead, Extension } from "../chain/chainHead.js"
import { producerError } from "../errors.js"
import { type AccountOptions, accountsOf, DEFAULT_BALANCE } from "../keys/accounts.js"
import { type Grant, grantTo, type Treasury } from "./treasury.js"
import type { Purse } from "./wallet.js"

/** What funding works with. */
interface Means {
  readonly head: ChainHead
  readonly treasury: Treasury
  readonly log: Log
  /** Makes a block of these. */
  extend(candidates: Iterable<Tx>, now: bigint): Extension
}

/**
 * Funds the accounts of a new chain by one real transaction. Gas comes back with time: where genesis was but now, the clock
 * is moved until there is enough. Throws `producer.too_many_accounts` where there never is. In a turn.
 */
export function fundAccounts(accounts: AccountOptions, { head, treasury, log, extend }: Means): void {
  const { clock } = head
  const { count, balance = DEFAULT_BALANCE } = accounts
  const grants = accountsOf(accounts).map(({ address }) => grantTo(address, balance))
  if (!treasury.canPay) {
    head.applyOverrides(treasury.mintWithoutTx(grants).map((utxo) => ({ kind: "utxo", utxo })))
    return
  }
  requireFunds(grants, treasury.purse(clock.now()))
  const { maxCapacity, maxPerSecond } = head.rules.params.dynamicFee
  for (;;) {
    const tx = treasury.pay(grants, clock.now())
    const { packed, dropped, gasReadyInSeconds } = extend([tx], clock.now())
    if (packed.length > 0) break
    if (dropped[0]) throw dropped[0].error
    const { gas } = head.meter(tx)
    if (gasReadyInSeconds === undefined || gas > maxCapacity || maxPerSecond === 0n) {
      throw producerError("producer.too_many_accounts", { accounts: count, gas, capacity: maxCapacity })
    }
    clock.set(clock.now() + gasReadyInSeconds, clock.isFrozen)
    log.info("clock moved until gas is back", { seconds: gasReadyInSeconds })
  }
  head.flush()
}

function requireFunds(grants: readonly Grant[], { balance: owned, address }: Purse): void {
  const needed = grants.reduce((sum, { amount }) => sum + amount, 0n)
  // The fee comes on top.
  if (needed < owned) return
  const [first] = grants
  throw producerError("producer.unaffordable_accounts", {
    accounts: grants.length,
    balance: first?.amount,
    needed,
    owned,
    address,
  })
}
