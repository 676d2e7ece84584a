import { priceAt } from "../../core/blocks/steps.js"
import type { Genesis } from "../../core/genesis/genesis.js"
import { ewoq } from "../../core/genesis/testKeys.js"
import { AVAX } from "../../core/networks/params.js"
import { isActive, type UpgradeName } from "../../core/networks/upgrades.js"
import { chainTimeOf } from "../../core/rules/context.js"
import type { IndexedView, View } from "../../core/state/view.js"
import { consumedUtxoIDs } from "../../core/txs/amounts.js"
import type { Tx } from "../../core/txs/tx.js"
import type { Address } from "../../core/types/address.js"
import type { ID } from "../../core/types/id.js"
import { checkOutput, compareOutputs, innerOutput, type TransferableOutput } from "../../core/types/output.js"
import { type Utxo, utxoID } from "../../core/types/utxo.js"
import type { ChainStatus } from "../chain/chainStatus.js"
import { sourceIDFor } from "../chain/overrides.js"
import { keyOfTest, type SigningKey } from "../keys/key.js"
import type { Payment } from "./payment.js"
import { Purse } from "./wallet.js"

/** An amount for some owners. Times in Unix seconds. */
export interface Grant {
  readonly addresses: readonly Address[]
  readonly threshold: number
  /** The amount in nAVAX. */
  readonly amount: bigint
  /** The time from which it can be spent. */
  readonly locktime: bigint
  /** The time until which it can only be staked; 0 for no such lock. */
  readonly stakeableLocktime: bigint
}

/**
 * The funds of the well-known key `ewoq`, which pay for the operations of `/ext/dev`. The treasury makes transactions but does not put them
 * into blocks. The parameter `state` of its methods is the store's state with its indexes: that of `ChainTurn.written` while blocks are
 * being made.
 */
export class Treasury {
  readonly #chain: ChainStatus
  readonly #genesis: Pick<Genesis, "body">
  #hasKey: boolean | undefined

  constructor(chain: ChainStatus, genesis: Pick<Genesis, "body">) {
    this.#chain = chain
    this.#genesis = genesis
  }

  /** True if the treasury can pay: genesis gave the key funds, and `BaseTx` is allowed (from Durango). */
  get canPay(): boolean {
    // Looked up when first needed, because a kept genesis is decoded for it.
    this.#hasKey ??= this.#genesis.body().utxos.some(({ output }) => innerOutput(output).addresses.includes(ewoq.address))
    return this.#hasKey && this.#isActive("durango")
  }

  /** Returns whether the treasury can pay these grants and a fee. */
  canAfford(state: IndexedView, grants: readonly Grant[], now: bigint): boolean {
    const needed = grants.reduce((sum, { amount }) => sum + amount, 0n)
    return this.canPay && this.purse(state, now).balance > needed
  }

  /** Returns the UTXOs that a key, by default `ewoq`, can spend now, without those that waiting transactions spend. */
  purse(state: IndexedView, now: bigint, key: SigningKey = keyOfTest(ewoq)): Purse {
    const taken = new Set([...this.#chain.pool].flatMap(({ unsignedTx }) => consumedUtxoIDs(unsignedTx)))
    const isTaken = (utxoID: string) => taken.has(utxoID as ID)
    return new Purse(state, key, this.#chain.rules, { now, isTaken })
  }

  /** Returns the price of gas in the next block, nAVAX. */
  price(now: bigint): bigint {
    return priceAt(this.#chain.scratchAt(now), this.#chain.rules) ?? 0n
  }

  /** Makes a payment of the key to itself, for a block that would be empty. Before Durango the transaction creates a subnet. */
  filler(purse: Purse, now: bigint): Tx {
    const price = this.price(now)
    if (this.#isActive("durango")) return purse.pay(paymentOf([]), price)
    const owner = { kind: "OutputOwners" as const, locktime: 0n, threshold: 1, addresses: [purse.key.address] }
    return purse.pay({ amount: 0n, make: (parts) => ({ kind: "CreateSubnetTx", ...parts, owner }) }, price)
  }

  /** Makes one transaction of a key, by default `ewoq`, that pays all grants. */
  pay(state: IndexedView, grants: readonly Grant[], now: bigint, key?: SigningKey): Tx {
    return this.purse(state, now, key).pay(paymentOf(grants.map((grant) => this.#outputOf(grant))), this.price(now))
  }

  /** Makes UTXOs of the grants without a transaction, for overrides. */
  mintWithoutTx(state: View, grants: readonly Grant[]): Utxo[] {
    const txID = sourceIDFor(state, this.#chain.overrides.count)
    return grants.map((grant, outputIndex) => ({ txID, outputIndex, ...this.#outputOf(grant) }))
  }

  /** Returns the ID of the UTXO with which a payment pays a grant. */
  utxoIDOf({ id, unsignedTx }: Tx, grant: Grant): ID {
    const wanted = this.#outputOf(grant)
    const outputs = "outputs" in unsignedTx ? unsignedTx.outputs : []
    const index = outputs.findIndex((output) => compareOutputs(output, wanted) === 0)
    return utxoID(id, index)
  }

  #isActive(upgrade: UpgradeName): boolean {
    return isActive(this.#chain.rules.upgrades, upgrade, chainTimeOf(this.#chain.view))
  }

  #outputOf({ amount, locktime, threshold, addresses, stakeableLocktime }: Grant): TransferableOutput {
    const plain = { kind: "TransferOutput" as const, amount, locktime, threshold, addresses }
    const isLocked = stakeableLocktime > 0n
    const output = isLocked ? { kind: "LockOut" as const, locktime: stakeableLocktime, output: plain } : plain
    const transferable = { assetID: this.#chain.rules.avaxAssetID, output }
    checkOutput(transferable)
    return transferable
  }
}

function paymentOf(outputs: readonly TransferableOutput[]): Payment {
  const amount = outputs.reduce((sum, { output }) => sum + innerOutput(output).amount, 0n)
  return { amount, outputs, make: (parts) => ({ kind: "BaseTx", ...parts }) }
}

/** Makes a grant to one address, without locks. */
export function grantTo(address: Address, amount: bigint = AVAX): Grant {
  return { addresses: [address], threshold: 1, amount, locktime: 0n, stakeableLocktime: 0n }
}
