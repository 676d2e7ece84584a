import { priceAt } from "../../core/blocks/execute.js"
import type { Genesis } from "../../core/genesis/genesis.js"
import { ewoq } from "../../core/genesis/testKeys.js"
import { AVAX } from "../../core/networks/params.js"
import { isActive, type UpgradeName } from "../../core/networks/upgrades.js"
import { chainTimeOf } from "../../core/rules/run.js"
import type { View } from "../../core/state/view.js"
import { takenBy } from "../../core/txs/flow.js"
import type { Tx } from "../../core/txs/tx.js"
import type { Address } from "../../core/types/address.js"
import type { ID } from "../../core/types/id.js"
import { checkOutput, compareOutputs, type TransferableOutput, unlocked } from "../../core/types/output.js"
import { type Utxo, utxoID } from "../../core/types/utxo.js"
import type { ChainHead } from "../chain/chainHead.js"
import { sourceIDFor } from "../chain/overrides.js"
import { type Key, keyOfTest } from "../keys/key.js"
import { type Payment, Purse } from "./wallet.js"

/** Who is to get how much. Times in Unix seconds. */
export interface Grant {
  readonly addresses: readonly Address[]
  readonly threshold: number
  /** nAVAX. */
  readonly amount: bigint
  /** Until then nobody can spend it. */
  readonly locktime: bigint
  /** Until then it can only be staked; 0: no such lock. */
  readonly stakeableLocktime: bigint
}

/** The well-known key `ewoq`, out of which the private chain pays for what its developers ask. */
export class Treasury {
  readonly #head: ChainHead
  readonly #state: View
  readonly #hasKey: boolean

  /** `state` is the store's, with its indexes. */
  constructor(head: ChainHead, state: View, { utxos }: Genesis) {
    this.#head = head
    this.#state = state
    this.#hasKey = utxos.some(({ output }) => unlocked(output).addresses.includes(ewoq.address))
  }

  /** Whether payments can be made: genesis gave the key something, and the P-Chain knows payments (from Durango). */
  get canPay(): boolean {
    return this.#hasKey && this.#isActive("durango")
  }

  /** What a key, by default `ewoq`, can spend now, without what waiting transactions spend. */
  purse(now: bigint, key: Key = keyOfTest(ewoq)): Purse {
    this.#head.flush()
    const taken = new Set([...this.#head.pool].flatMap(({ unsignedTx }) => takenBy(unsignedTx)))
    const isTaken = (utxoID: string) => taken.has(utxoID as ID)
    return new Purse(this.#state, key, this.#head.rules, { now, isTaken })
  }

  /** What gas costs in the next block, nAVAX. */
  price(now: bigint): bigint {
    return priceAt(this.#head.scratchAt(now), this.#head.rules) ?? 0n
  }

  /** A small payment to oneself, for a block that is wanted for its own sake; before Durango, a subnet. */
  filler(purse: Purse, now: bigint): Tx {
    const price = this.price(now)
    if (this.#isActive("durango")) return purse.pay(paymentOf([]), price)
    const owner = { kind: "OutputOwners" as const, locktime: 0n, threshold: 1, addresses: [purse.key.address] }
    return purse.pay({ amount: 0n, make: (parts) => ({ kind: "CreateSubnetTx", ...parts, owner }) }, price)
  }

  /** One payment to all of them, by a key, by default `ewoq`. */
  pay(grants: readonly Grant[], now: bigint, key?: Key): Tx {
    return this.purse(now, key).pay(paymentOf(grants.map((grant) => this.#outputOf(grant))), this.price(now))
  }

  /** UTXOs with grants that no transaction made. */
  mintWithoutTx(grants: readonly Grant[]): Utxo[] {
    const txID = sourceIDFor(this.#state, this.#head.overrides.count)
    return grants.map((grant, outputIndex) => ({ txID, outputIndex, ...this.#outputOf(grant) }))
  }

  /** Which output of a payment a grant became, as the ID of its UTXO. */
  utxoIDOf({ id, unsignedTx }: Tx, grant: Grant): ID {
    const wanted = this.#outputOf(grant)
    const outputs = "outputs" in unsignedTx ? unsignedTx.outputs : []
    const index = outputs.findIndex((output) => compareOutputs(output, wanted) === 0)
    return utxoID(id, index)
  }

  #isActive(upgrade: UpgradeName): boolean {
    return isActive(this.#head.rules.upgrades, upgrade, chainTimeOf(this.#head.view))
  }

  #outputOf({ amount, locktime, threshold, addresses, stakeableLocktime }: Grant): TransferableOutput {
    const plain = { kind: "TransferOutput" as const, amount, locktime, threshold, addresses }
    const isLocked = stakeableLocktime > 0n
    const output = isLocked ? { kind: "LockOut" as const, locktime: stakeableLocktime, output: plain } : plain
    const transferable = { assetID: this.#head.rules.avaxAssetID, output }
    checkOutput(transferable)
    return transferable
  }
}

function paymentOf(outputs: readonly TransferableOutput[]): Payment {
  const amount = outputs.reduce((sum, { output }) => sum + unlocked(output).amount, 0n)
  return { amount, outputs, make: (parts) => ({ kind: "BaseTx", ...parts }) }
}

/** One owner, nothing locked. */
export function grantTo(address: Address, amount: bigint = AVAX): Grant {
  return { addresses: [address], threshold: 1, amount, locktime: 0n, stakeableLocktime: 0n }
}
