import { ewoq, vmRQ } from "../../core/genesis/testKeys.js"
import type { Address } from "../../core/types/address.js"
import { producerError } from "../errors.js"
import { Purse } from "../funds/wallet.js"
import { keyOfTest, type SigningKey } from "../keys/key.js"
import type { PrivateChain } from "../privateChain.js"

/** A publicly known key of the private chain, with the nAVAX that it can spend now. */
export interface DevAccount extends SigningKey {
  readonly balance: bigint
}

/** The number of keys of the local network itself, which come first. */
export const OWN_KEYS = 2

/** Returns the keys of the local network and of the accounts. */
export function devKeys(chain: PrivateChain): readonly SigningKey[] {
  return [keyOfTest(ewoq), keyOfTest(vmRQ), ...chain.accountKeys()]
}

/** Adds to each key the amount that it can spend now. A chain that was created without the default accounts does not have them. */
export function shownAccounts(keys: readonly SigningKey[], { status, options, clock }: PrivateChain): readonly DevAccount[] {
  const now = clock.now()
  const balanceOf = (key: SigningKey) => new Purse(options.store.latest, key, status.rules, { now }).balance
  const [ewoq, vmRQ, ...accounts] = keys.map((key) => ({ ...key, balance: balanceOf(key) }))
  const isWithout = options.choices?.accounts?.isDefault && accounts.every(({ balance }) => balance === 0n)
  return [ewoq!, vmRQ!, ...(isWithout ? [] : accounts)]
}

/** Finds the key of an address. Throws `producer.unknown_account`. */
export function requireKey(keys: readonly SigningKey[], address: Address, text: string): SigningKey {
  const key = keys.find((each) => each.address === address)
  if (!key) throw producerError("producer.unknown_account", { address: text })
  return key
}
