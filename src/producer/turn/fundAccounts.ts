import { producerError } from "../errors.js"
import { type Grant, grantTo } from "../funds/treasury.js"
import type { Purse } from "../funds/wallet.js"
import type { SigningKey } from "../keys/key.js"
import type { ChainTurn } from "./chainTurn.js"

/**
 * Funds accounts by one transaction, with `balance` nAVAX for each. Gas accumulates with time, so the clock is moved until there is enough,
 * as on a chain whose genesis has the present time. Throws `producer.too_many_accounts` if there is never enough.
 */
export async function fundAccounts(keys: readonly SigningKey[], balance: bigint, chain: ChainTurn): Promise<void> {
  const { treasury, status } = chain
  const grants = keys.map(({ address }) => grantTo(address, balance))
  // On a fork the key may own nothing, which no flag can change.
  const isPoor = chain.options.fork !== undefined && !treasury.canAfford(chain.written(), grants, chain.now())
  if (!treasury.canPay || isPoor) {
    chain.applyOverrides(treasury.mintWithoutTx(chain.written(), grants).map((utxo) => ({ kind: "utxo", utxo })))
    return
  }
  requireFunds(grants, treasury.purse(chain.written(), chain.now()))
  const { maxCapacity, maxPerSecond } = status.rules.params.dynamicFee
  for (;;) {
    const tx = treasury.pay(chain.written(), grants, chain.now())
    const { packed, dropped, gasReadyInSeconds } = await chain.extend([tx])
    if (packed.length > 0) return
    if (dropped[0]) throw dropped[0].error
    const { gas } = status.meter(tx)
    if (gasReadyInSeconds === undefined || gas > maxCapacity || maxPerSecond === 0n) {
      throw producerError("producer.too_many_accounts", { accounts: keys.length, gas, capacity: maxCapacity })
    }
    chain.moveClock(chain.now() + gasReadyInSeconds)
    chain.log.info("clock moved until gas is back", { seconds: gasReadyInSeconds })
  }
}

function requireFunds(grants: readonly Grant[], { balance: owned, address }: Purse): void {
  const needed = grants.reduce((sum, { amount }) => sum + amount, 0n)
  // The fee is paid in addition.
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
