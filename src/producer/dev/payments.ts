import type { Address } from "../../core/types/address.js"
import type { ID } from "../../core/types/id.js"
import { type Utxo, utxoID } from "../../core/types/utxo.js"
import { type Grant, grantTo } from "../funds/treasury.js"
import type { SigningKey } from "../keys/key.js"
import type { ChainTurn } from "../turn/chainTurn.js"
import { putIntoBlock } from "./putIntoBlock.js"

/** Grants AVAX by a payment of the treasury, or by an override if no payment is possible. */
export async function fund(chain: ChainTurn, grant: Grant): Promise<{ readonly txID: ID | undefined; readonly utxoID: ID }> {
  await chain.catchUp()
  const { treasury } = chain
  const isPoor = chain.options.fork !== undefined && !treasury.canAfford(chain.written(), [grant], chain.now())
  if (grant.stakeableLocktime > 0n || !treasury.canPay || isPoor) {
    const [utxo] = treasury.mintWithoutTx(chain.written(), [grant]) as [Utxo]
    chain.applyOverrides([{ kind: "utxo", utxo }])
    return { txID: undefined, utxoID: utxoID(utxo.txID, utxo.outputIndex) }
  }
  return pay(chain, grant)
}

/** Pays AVAX from a key; from the treasury by default. */
export async function pay(
  chain: ChainTurn,
  grant: Grant,
  from?: SigningKey,
): Promise<{ readonly txID: ID; readonly utxoID: ID }> {
  const tx = chain.treasury.pay(chain.written(), [grant], chain.now(), from)
  await putIntoBlock(chain, tx)
  return { txID: tx.id, utxoID: chain.treasury.utxoIDOf(tx, grant) }
}

/** Adds a UTXO that can be imported, as if another chain had exported it. */
export function creditAtomic(chain: ChainTurn, sourceChain: ID, address: Address, amount: bigint): Utxo {
  const [utxo] = chain.treasury.mintWithoutTx(chain.written(), [grantTo(address, amount)]) as [Utxo]
  chain.applyOverrides([{ kind: "atomicUtxo", sourceChain, utxo }])
  return utxo
}
