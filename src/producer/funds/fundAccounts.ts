import type { Tx } from "../../txs/tx.js"
import { producerError } from "../errors.js"
import type { Extension, Head } from "../head/head.js"
import { type AccountOptions, accountsOf, DEFAULT_BALANCE } from "../keys/accounts.js"
import type { Log } from "../ports.js"
import { grantTo, type Treasury } from "./treasury.js"

/** The longest that a new chain waits for gas, in seconds: after that a block holds as much as it ever will. */
const LONGEST_WAIT = 60n

/** What funding works with. */
interface Means {
  readonly head: Head
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
    head.bend(treasury.conjure(grants).map((utxo) => ({ kind: "utxo", utxo })))
    return
  }
  for (;;) {
    const { packed, dropped, shortFor } = extend([treasury.pay(grants, clock.now())], clock.now())
    if (packed.length > 0) break
    if (dropped[0]) throw dropped[0].error
    if (shortFor === undefined || shortFor > LONGEST_WAIT) throw producerError("producer.too_many_accounts", { accounts: count })
    clock.set(clock.now() + shortFor, clock.isFrozen)
    log.info("clock moved until gas is back", { seconds: shortFor })
  }
  head.flush()
}
