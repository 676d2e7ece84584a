import { compressKey } from "../../../src/core/crypto/compressKey.js"
import { toHex } from "../../../src/core/lib/bytes.js"
import { openWarpMessage } from "../../../src/core/rules/warp.js"
import { type L1Validator, tables } from "../../../src/core/state/tables.js"
import type { View } from "../../../src/core/state/view.js"
import type { Address } from "../../../src/core/types/address.js"
import { idText, nodeIDText } from "../../../src/core/types/id.js"
import type { Row, Step, TxInBlock } from "./expectedRows.js"
import type { MoneyRows } from "./moneyRows.js"

const NO_CHANGE = { owner_addresses: null, owner_threshold: null, asset_id: null, manager_chain_id: null, manager_address: null }

/** The rows of subnets, their chains, and the validators of L1s. */
export class SubnetRows {
  readonly #address: (value: Address) => string
  readonly #subnets = new Map<string, Row>()
  readonly #changes: Row[] = []
  readonly #chains = new Map<string, Row>()
  readonly #l1Validators = new Map<string, Row>()
  readonly #events: Row[] = []
  /** The totals of fees at which the balances of the validators end, after the blocks before; 0 without a balance. */
  #ends = new Map<string, bigint>()

  constructor(address: (value: Address) => string) {
    this.#address = address
  }

  byTable(): Record<string, Iterable<Row>> {
    return {
      subnets: this.#subnets.values(),
      subnet_changes: this.#changes,
      chains: this.#chains.values(),
      l1_validators: this.#l1Validators.values(),
      l1_validator_events: this.#events,
    }
  }

  add(step: Step, money: MoneyRows): void {
    const { view, height, time } = step
    for (const [id] of view.rows(tables.subnets)) {
      if (this.#subnets.has(id)) continue
      const owner = view.get(tables.subnetOwners, id)
      this.#subnets.set(id, {
        subnet_id: idText(id),
        height,
        time,
        owner_addresses: owner?.addresses.map(this.#address),
        owner_threshold: BigInt(owner?.threshold ?? 0),
      })
    }
    for (const [id, { subnetID, chainName, vmID }] of view.rows(tables.chains)) {
      if (this.#chains.has(id)) continue
      const ids = { chain_id: idText(id), subnet_id: idText(subnetID), vm_id: idText(vmID) }
      this.#chains.set(id, { ...ids, name: chainName, height, time })
    }
    for (const [id, validator] of view.rows(tables.l1Validators)) {
      if (!this.#l1Validators.has(id)) this.#register(id, validator, step)
    }
    const known = this.#events.length
    for (const placed of step.txs) {
      this.#addChange(placed, step)
      this.#addEvent(placed, step, money)
    }
    this.#addRunOuts(step, this.#events.slice(known))
  }

  /**
   * A validator ran out before the transactions of the blocks if its balance ended with their time, and after them if its events leave it a balance
   * that the state after them does not have.
   */
  #addRunOuts({ view, height, time }: Step, events: readonly Row[]): void {
    const accrued = view.get(tables.accruedFees, null) ?? 0n
    const ends = new Map(
      [...view.rows(tables.l1Validators)].map(([id, { endAccumulatedFee }]): [string, bigint] => [id, endAccumulatedFee]),
    )
    for (const [id, { validation_id, subnet_id, node_id }] of this.#l1Validators) {
      const runOut = (tx_index: number) => {
        const none = { weight: null, paid_in: "0", paid_back: "0" }
        const place = { height, tx_index, tx_id: null, time, accrued_fee: accruedIn(view) }
        this.#events.push({ validation_id, subnet_id, node_id, ...place, event: "ranOut", ...none })
      }
      let end = this.#ends.get(id) ?? 0n
      if (end > 0n && end <= accrued) {
        end = 0n
        runOut(-1)
      }
      for (const { event, paid_in } of events.filter((each) => each.validation_id === validation_id)) {
        if (event === "disabled" || event === "removed") end = 0n
        else if (BigInt(paid_in as string) > 0n) end = (end || accrued) + BigInt(paid_in as string)
      }
      if (end > 0n && !ends.get(id)) runOut(2147483647)
    }
    this.#ends = ends
  }

  #addChange({ tx: { id, unsignedTx: tx }, index, height }: TxInBlock, { view, time }: Step): void {
    if (!("subnetID" in tx)) return
    const place = { subnet_id: idText(tx.subnetID), height, tx_index: index, tx_id: idText(id), time }
    const add = (change: Row) => this.#changes.push({ ...place, ...NO_CHANGE, ...change })
    if (tx.kind === "TransferSubnetOwnershipTx") {
      const owner = view.get(tables.subnetOwners, tx.subnetID)
      add({
        change: "owner",
        owner_addresses: owner?.addresses.map(this.#address),
        owner_threshold: BigInt(owner?.threshold ?? 0),
      })
    } else if (tx.kind === "TransformSubnetTx") {
      const transformation = view.get(tables.transformations, tx.subnetID)
      add({ change: "elastic", asset_id: transformation && idText(transformation.assetID) })
    } else if (tx.kind === "ConvertSubnetToL1Tx") {
      const conversion = view.get(tables.conversions, tx.subnetID)
      const manager = conversion && {
        manager_chain_id: idText(conversion.chainID),
        manager_address: new Uint8Array(conversion.address),
      }
      add({ change: "l1", ...manager })
    }
  }

  #register(id: string, validator: L1Validator, step: Step): void {
    const { subnetID, nodeID, publicKey, weight, remainingBalanceOwner, deactivationOwner } = validator
    const found = step.txs
      .map((placed) => ({ placed, balance: balanceOf(placed, validator) }))
      .find(({ balance }) => balance !== undefined)
    const { placed, balance } = found as { placed: TxInBlock; balance: bigint }
    const known = {
      validation_id: idText(id as typeof subnetID),
      height: placed.height,
      tx_id: idText(placed.tx.id),
      time: step.time,
      subnet_id: idText(subnetID),
      node_id: nodeIDText(nodeID),
      weight: String(weight),
    }
    this.#l1Validators.set(id, {
      ...known,
      public_key: new Uint8Array(compressKey(publicKey)),
      balance: String(balance),
      remaining_balance_addresses: remainingBalanceOwner.addresses.map(this.#address),
      deactivation_addresses: deactivationOwner.addresses.map(this.#address),
    })
    const paid = { paid_in: String(balance), paid_back: "0" }
    this.#events.push({ ...known, tx_index: placed.index, event: "registered", ...paid, accrued_fee: accruedIn(step.view) })
  }

  #addEvent(placed: TxInBlock, { time, view }: Step, money: MoneyRows): void {
    const { id, unsignedTx: tx } = placed.tx
    const add = (validationID: string, event: Row) => {
      const { validation_id, subnet_id, node_id } = this.#l1Validators.get(validationID) as Row
      const place = { height: placed.height, tx_index: placed.index, tx_id: idText(id), time, accrued_fee: accruedIn(view) }
      this.#events.push({ validation_id, subnet_id, node_id, ...place, weight: null, paid_in: "0", paid_back: "0", ...event })
    }
    if (tx.kind === "IncreaseL1ValidatorBalanceTx") {
      add(tx.validationID, { event: "increased", paid_in: String(tx.balance) })
    } else if (tx.kind === "DisableL1ValidatorTx") {
      add(tx.validationID, { event: "disabled", paid_back: String(money.refundOf(placed)) })
    } else if (tx.kind === "SetL1ValidatorWeightTx") {
      const { validationID, weight } = openWarpMessage(tx.message, "L1ValidatorWeight").message
      const event = weight === 0n ? "removed" : "weightSet"
      add(validationID, { event, weight: String(weight), paid_back: String(money.refundOf(placed)) })
    }
  }
}

const accruedIn = (view: View): string => String(view.get(tables.accruedFees, null))

/** The balance that a transaction gives to a new validator; undefined if it does not create this one. */
function balanceOf({ tx: { unsignedTx: tx } }: TxInBlock, { subnetID, nodeID }: L1Validator): bigint | undefined {
  if (tx.kind === "ConvertSubnetToL1Tx" && tx.subnetID === subnetID) {
    return tx.validators.find((each) => toHex(each.nodeID) === nodeID)?.balance
  }
  if (tx.kind !== "RegisterL1ValidatorTx") return undefined
  const { message } = openWarpMessage(tx.message, "RegisterL1Validator")
  return message.subnetID === subnetID && toHex(message.nodeID) === nodeID ? tx.balance : undefined
}
