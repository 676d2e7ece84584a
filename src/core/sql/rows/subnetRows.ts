import { createdL1Validator, createdL1Validators, type NewL1Validator } from "../../readmodel/creations.js"
import { type L1EventFacts, txEvent } from "../../readmodel/explorer/l1History.js"
import { l1ChangesOf } from "../../readmodel/explorer/subjects.js"
import { l1FeeStateAt } from "../../rules/l1Record.js"
import { type FactOf, TIME_STEP } from "../../state/facts.js"
import type { ValidatorKey } from "../../state/staker.js"
import type { UnsignedTx } from "../../txs/unsignedTx.js"
import type { ID } from "../../types/id.js"
import type { RowContext, TxPlace } from "../rowContext.js"
import type { SqlRow } from "../sqlTable.js"
import { sqlTables } from "../tables.js"

/** Adds the subnet or chain that a transaction creates, and the change that it makes to a subnet. */
export function addSubnets(context: RowContext, { tx, index, height, time }: TxPlace): void {
  const { rows, texts } = context
  const { unsignedTx } = tx
  if (unsignedTx.kind === "CreateSubnetTx") {
    const { addresses, threshold } = unsignedTx.owner
    rows.add(sqlTables.subnets, {
      subnet_id: texts.id(tx.id),
      height,
      time,
      owner_addresses: addresses.map(texts.address),
      owner_threshold: BigInt(threshold),
    })
  } else if (unsignedTx.kind === "CreateChainTx") {
    const { subnetID, chainName, vmID } = unsignedTx
    const ids = { chain_id: texts.id(tx.id), subnet_id: texts.id(subnetID), vm_id: texts.id(vmID) }
    rows.add(sqlTables.chains, { ...ids, name: chainName, height, time })
  }
  const change = changeOf(unsignedTx, context)
  if (!change || !("subnetID" in unsignedTx)) return
  rows.add(sqlTables.subnet_changes, {
    subnet_id: texts.id(unsignedTx.subnetID),
    height,
    tx_index: index,
    tx_id: texts.id(tx.id),
    time,
    owner_addresses: null,
    owner_threshold: null,
    asset_id: null,
    manager_chain_id: null,
    manager_address: null,
    ...change,
  })
}

type ChangeRow = SqlRow<typeof sqlTables.subnet_changes>

function changeOf(tx: UnsignedTx, { texts }: RowContext): (Pick<ChangeRow, "change"> & Partial<ChangeRow>) | undefined {
  switch (tx.kind) {
    case "TransferSubnetOwnershipTx": {
      const { addresses, threshold } = tx.newOwner
      return { change: "owner", owner_addresses: addresses.map(texts.address), owner_threshold: BigInt(threshold) }
    }
    case "TransformSubnetTx":
      return { change: "elastic", asset_id: texts.id(tx.assetID) }
    case "ConvertSubnetToL1Tx":
      return { change: "l1", manager_chain_id: texts.id(tx.chainID), manager_address: tx.address }
    default:
      return undefined
  }
}

/** Adds the L1 validators that a transaction registers, and what it did to each validator. */
export function addL1Validators(context: RowContext, place: TxPlace): void {
  const { tx, index, height, time } = place
  for (const validator of createdL1Validators(tx.unsignedTx)) addValidator(context, place, validator)
  for (const { validationID, validator } of l1ChangesOf(tx.unsignedTx, context.view)) {
    const event = validator && txEvent(context.view, tx, validator)
    if (!event) throw new Error(`the L1 validator ${validationID} is missing`)
    addEvent(context, { height, index, time, txID: tx.id }, { ...validator, validationID }, event)
  }
}

function addValidator({ rows, texts }: RowContext, place: TxPlace, validator: NewL1Validator): void {
  rows.add(sqlTables.l1_validators, {
    validation_id: texts.id(validator.validationID),
    height: place.height,
    tx_id: texts.id(place.tx.id),
    time: place.time,
    subnet_id: texts.id(validator.subnetID),
    node_id: texts.node(validator.nodeID),
    public_key: validator.publicKey,
    weight: validator.weight,
    balance: validator.balance,
    remaining_balance_addresses: validator.remainingBalanceOwner.addresses.map(texts.address),
    deactivation_addresses: validator.deactivationOwner.addresses.map(texts.address),
  })
}

function addEvent(
  context: RowContext,
  { height, index, time, txID }: Pick<TxPlace, "height" | "index" | "time"> & { readonly txID: ID | undefined },
  { validationID, subnetID, nodeID }: ValidatorKey & { readonly validationID: ID },
  { event, weight, added, refund }: L1EventFacts,
): void {
  const { rows, texts } = context
  rows.add(sqlTables.l1_validator_events, {
    validation_id: texts.id(validationID),
    height,
    tx_index: index,
    tx_id: txID === undefined ? null : texts.id(txID),
    time,
    subnet_id: texts.id(subnetID),
    node_id: texts.node(nodeID),
    event,
    weight: weight ?? null,
    paid_in: added ?? 0n,
    paid_back: refund ?? 0n,
    accrued_fee: accruedFeeAt(context, height, time),
  })
}

/** The positions of the events without a transaction: before the transactions of the block, and after them. */
const [BEFORE_TXS, AFTER_TXS] = [-1, 0x7fff_ffff]

/** Adds that the balance of an L1 validator was used up. */
export function addRunOut(
  context: RowContext,
  { validationID, step }: FactOf<"runOut">,
  { height, time }: Pick<TxPlace, "height" | "time">,
): void {
  const validator = createdL1Validator(context.view, validationID)
  if (!validator) throw new Error(`the L1 validator ${validationID} is missing`)
  const index = step === TIME_STEP ? BEFORE_TXS : AFTER_TXS
  addEvent(context, { height, index, time, txID: undefined }, validator, { event: "ranOut" })
}

/** Returns the fees of a validator that is active since Etna after a block, nAVAX; null if they are not recorded. */
export function accruedFeeAt({ view, rules }: Pick<RowContext, "view" | "rules">, height: bigint, time: bigint): bigint | null {
  // The record of a proposal is under the height of its option.
  return l1FeeStateAt(view, rules, height + 1n, time)?.accruedFees ?? null
}
