import { expect } from "vitest"
import { type Block, txsOf } from "../../src/core/blocks/block.js"
import type { Rules } from "../../src/core/rules/context.js"
import { isActiveL1 } from "../../src/core/state/l1Validators.js"
import { tables } from "../../src/core/state/tables.js"
import type { View } from "../../src/core/state/view.js"
import { burnedAvax } from "../../src/core/txs/amounts.js"
import { acceptedTx, stakerInfoOf } from "../../src/core/txs/execute.js"
import type { UnsignedTx } from "../../src/core/txs/unsignedTx.js"
import { type ID, PRIMARY_NETWORK_ID } from "../../src/core/types/id.js"
import { unlockedInput } from "../../src/core/types/input.js"
import { innerOutput, type TransferableOutput } from "../../src/core/types/output.js"
import { decodeSignedMessage } from "../../src/core/types/warp/message.js"
import { decodePayload } from "../../src/core/types/warp/payload.js"
import {
  decodePChainMessage,
  initialValidationIDOf,
  type PChainMessage,
  registrationIDOf,
} from "../../src/core/types/warp/pChainMessage.js"

/** The assets and debts of a chain, counted again from its rows after every block. */
interface Balance {
  /** AVAX in UTXOs, in stakes and in the balances of L1 validators, nAVAX. */
  readonly total: bigint
  readonly rewards: bigint
  readonly accruedFees: bigint
  /** Active L1 validators → their remaining balance, nAVAX. */
  readonly balances: ReadonlyMap<ID, bigint>
}

/**
 * Compares the AVAX of a chain with its blocks after each of them: only rewards and imports add AVAX, and only exports, fees and the payments and
 * losses of L1 validators remove it.
 */
export class Auditor {
  readonly #rules: Rules
  #before: Balance
  /** The AVAX that was made on the chain since the start, less what was burned there, nAVAX: rewards, fees, and what L1 validators paid. */
  made = 0n
  /** The transactions of a proposal that waits for its decision. */
  #proposed: readonly UnsignedTx[] = []

  constructor(genesis: View, rules: Rules) {
    this.#rules = rules
    this.#before = this.#balanceOf(genesis)
  }

  /** The AVAX on the chain after the last block, nAVAX. */
  get total(): bigint {
    return this.#before.total
  }

  /** Compares the state after an accepted block with the state before it. Overrides after the block may have credited AVAX. */
  after(block: Block, view: View, credited = 0n): void {
    const txs = [...this.#proposed, ...txsOf(block).map(({ unsignedTx }) => unsignedTx)]
    if (block.kind.endsWith("ProposalBlock")) {
      this.#proposed = txs
      return
    }
    this.#proposed = []
    const now = this.#balanceOf(view)
    const burned = sum(txs.map((tx) => ("inputs" in tx ? burnedAvax(tx, this.#rules.avaxAssetID) : 0n)))
    const made = credited + now.rewards - this.#before.rewards - this.#paidByL1(txs, now) - burned
    expect([block.height, now.total]).toEqual([block.height, this.#before.total + this.#flowOf(txs) + made])
    this.made += made
    this.#before = now
  }

  #balanceOf(view: View): Balance {
    const accruedFees = view.get(tables.accruedFees, null) ?? 0n
    const balances = new Map<ID, bigint>()
    for (const [id, validator] of view.rows(tables.l1Validators)) {
      if (isActiveL1(validator)) balances.set(id, validator.endAccumulatedFee - accruedFees)
    }
    let total = sum(balances.values())
    for (const [, utxo] of view.rows(tables.utxos)) total += this.#avaxIn([utxo])
    for (const table of [tables.currentStakers, tables.pendingStakers]) {
      for (const [{ txID }] of view.rows(table)) total += this.#avaxIn(stakeOf(view, txID))
    }
    const rewards = [...view.rows(tables.rewardUtxos)].map(([, utxo]) => utxo)
    return { total, rewards: this.#avaxIn(rewards), accruedFees, balances }
  }

  /** The amount that transactions import, less the exported amounts. */
  #flowOf(txs: readonly UnsignedTx[]): bigint {
    let change = 0n
    for (const tx of txs) {
      if (tx.kind === "ExportTx") change -= this.#avaxIn(tx.exportedOutputs)
      if (tx.kind !== "ImportTx") continue
      for (const { assetID, input } of tx.importedInputs) {
        if (assetID === this.#rules.avaxAssetID) change += unlockedInput(input).amount
      }
    }
    return change
  }

  /** Fees that L1 validators paid for the elapsed time, and the remainders of those that ran out of funds. */
  #paidByL1(txs: readonly UnsignedTx[], now: Balance): bigint {
    const cost = now.accruedFees - this.#before.accruedFees
    let paid = 0n
    const balances = new Map<ID, bigint>()
    for (const [id, balance] of this.#before.balances) {
      paid += balance < cost ? balance : cost
      if (balance > cost) balances.set(id, balance - cost)
    }
    for (const tx of txs) {
      for (const [id, balance] of depositsOf(tx)) if (balance > 0n) balances.set(id, (balances.get(id) ?? 0n) + balance)
      for (const id of refundedBy(tx)) balances.delete(id)
    }
    for (const [id, balance] of balances) {
      if (!now.balances.has(id)) paid += balance
      else expect([id, now.balances.get(id)]).toEqual([id, balance])
    }
    return paid
  }

  #avaxIn(outputs: readonly Pick<TransferableOutput, "assetID" | "output">[]): bigint {
    return sum(outputs.map(({ assetID, output }) => (assetID === this.#rules.avaxAssetID ? innerOutput(output).amount : 0n)))
  }
}

const sum = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((total, amount) => total + amount, 0n)

function stakeOf(view: View, txID: ID): readonly TransferableOutput[] {
  return stakerInfoOf(acceptedTx(view, txID)!.unsignedTx)!.stake
}

/** The L1 validators who get the rest of their balance back. */
function refundedBy(tx: UnsignedTx): ID[] {
  if (tx.kind === "DisableL1ValidatorTx") return [tx.validationID]
  if (tx.kind !== "SetL1ValidatorWeightTx") return []
  const message = messageIn(tx.message)
  return message?.kind === "L1ValidatorWeight" && message.weight === 0n ? [message.validationID] : []
}

/** The balances that a transaction pays to L1 validators. */
function depositsOf(tx: UnsignedTx): [ID, bigint][] {
  if (tx.kind === "IncreaseL1ValidatorBalanceTx") return [[tx.validationID, tx.balance]]
  if (tx.kind === "ConvertSubnetToL1Tx")
    return tx.validators.map(({ balance }, i) => [initialValidationIDOf(tx.subnetID, i), balance])
  const message = tx.kind === "RegisterL1ValidatorTx" ? messageIn(tx.message) : undefined
  return tx.kind === "RegisterL1ValidatorTx" && message?.kind === "RegisterL1Validator"
    ? [[registrationIDOf(message), tx.balance]]
    : []
}

function messageIn(raw: Uint8Array): PChainMessage | undefined {
  const call = decodePayload(decodeSignedMessage(raw).payload)
  return call.kind === "AddressedCall" ? decodePChainMessage(call.payload) : undefined
}

/**
 * Returns the supply of the primary network and of every open subnet without all rewards that are promised, kept for delegatees, restaked
 * or paid. It must not change.
 */
export function supplyAtStart(view: View, rules: Rules): ReadonlyMap<ID, bigint> {
  const paid = new Map<ID, bigint>()
  for (const [, { assetID, output }] of view.rows(tables.rewardUtxos)) {
    paid.set(assetID, (paid.get(assetID) ?? 0n) + innerOutput(output).amount)
  }
  const start = new Map<ID, bigint>()
  for (const [subnetID, supply] of view.rows(tables.supplies)) {
    const asset = subnetID === PRIMARY_NETWORK_ID ? rules.avaxAssetID : view.get(tables.transformations, subnetID)!.assetID
    start.set(subnetID, supply - (paid.get(asset) ?? 0n))
  }
  const take = (subnetID: ID, amount: bigint) => start.set(subnetID, (start.get(subnetID) ?? 0n) - amount)
  for (const [, { subnetID, potentialReward }] of view.rows(tables.currentStakers)) {
    if (potentialReward > 0n) take(subnetID, potentialReward)
  }
  for (const [{ subnetID }, amount] of view.rows(tables.delegateeRewards)) take(subnetID, amount)
  for (const [{ subnetID }, { accruedValidationRewards, accruedDelegateeRewards }] of view.rows(tables.renewals))
    take(subnetID, accruedValidationRewards + accruedDelegateeRewards)
  return start
}
