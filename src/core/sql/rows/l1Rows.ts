import { toHex } from "../../lib/bytes.js"
import { blockTime } from "../../readmodel/blockTimes.js"
import { ranOutAt } from "../../readmodel/explorer/l1History.js"
import { rowsOfList } from "../../readmodel/explorer/moments.js"
import { outputOf } from "../../readmodel/explorer/outputOf.js"
import { l1ValidatorOf } from "../../readmodel/explorer/subjects.js"
import { explorerTables } from "../../readmodel/explorer/tables.js"
import { l1FeeStateAt } from "../../rules/l1Record.js"
import { openWarpMessage } from "../../rules/warp.js"
import { tables } from "../../state/tables.js"
import { acceptedTx } from "../../txs/execute.js"
import { type TxKind, txTypeOf } from "../../txs/unsignedTx.js"
import type { ID, NodeID } from "../../types/id.js"
import { innerOutput } from "../../types/output.js"
import type { PChainOwner } from "../../types/owners.js"
import { initialValidationIDOf, registrationIDOf } from "../../types/warp/pChainMessage.js"
import type { PublishedRange, RowContext, TxPlace } from "../rowContext.js"
import type { SqlRow } from "../sqlTable.js"
import { sqlTables } from "../tables.js"

/** Adds the L1 validators that a transaction registers, and its changes of one. */
export function addL1Validators(context: RowContext, place: TxPlace): void {
  const { id, unsignedTx: tx } = place.tx
  switch (tx.kind) {
    case "ConvertSubnetToL1Tx":
      for (const [i, validator] of tx.validators.entries()) {
        const nodeID = toHex(validator.nodeID) as NodeID
        const validationID = initialValidationIDOf(tx.subnetID, i)
        const { publicKey } = validator.signer
        register(context, place, { ...validator, validationID, subnetID: tx.subnetID, nodeID, publicKey })
      }
      break
    case "RegisterL1ValidatorTx": {
      const { message } = openWarpMessage(tx.message, "RegisterL1Validator")
      const nodeID = toHex(message.nodeID) as NodeID
      const known = {
        validationID: registrationIDOf(message),
        publicKey: message.blsPublicKey,
        deactivationOwner: message.disableOwner,
      }
      register(context, place, { ...message, ...known, nodeID, balance: tx.balance })
      break
    }
    case "SetL1ValidatorWeightTx": {
      const { validationID, weight } = openWarpMessage(tx.message, "L1ValidatorWeight").message
      const paid_back = weight === 0n ? refundOf(context, id, tx.outputs.length) : 0n
      addEvent(context, place, validationID, { event: weight === 0n ? "removed" : "weight_set", weight, paid_in: 0n, paid_back })
      break
    }
    case "IncreaseL1ValidatorBalanceTx":
      addEvent(context, place, tx.validationID, { event: "balance_increased", weight: null, paid_in: tx.balance, paid_back: 0n })
      break
    case "DisableL1ValidatorTx": {
      const paid_back = refundOf(context, id, tx.outputs.length)
      addEvent(context, place, tx.validationID, { event: "disabled", weight: null, paid_in: 0n, paid_back })
    }
  }
}

/** Returns the refund of a balance by a transaction, spent or not. */
function refundOf({ view }: RowContext, txID: ID, outputIndex: number): bigint {
  const refund = outputOf(view, txID, outputIndex)
  return refund ? innerOutput(refund.output).amount : 0n
}

interface NewValidator {
  readonly validationID: ID
  readonly subnetID: ID
  readonly nodeID: NodeID
  readonly publicKey: Uint8Array
  readonly weight: bigint
  readonly balance: bigint
  readonly remainingBalanceOwner: PChainOwner
  readonly deactivationOwner: PChainOwner
}

function register(context: RowContext, place: TxPlace, validator: NewValidator): void {
  const { rows, texts } = context
  const { validationID, subnetID, nodeID, weight, balance } = validator
  rows.add(sqlTables.l1_validators, {
    validation_id: texts.id(validationID),
    height: place.height,
    tx_id: texts.id(place.tx.id),
    time: place.time,
    subnet_id: texts.id(subnetID),
    node_id: texts.node(nodeID),
    public_key: validator.publicKey,
    weight,
    balance,
    remaining_balance_addresses: validator.remainingBalanceOwner.addresses.map(texts.address),
    deactivation_addresses: validator.deactivationOwner.addresses.map(texts.address),
  })
  const event = { event: "registered", weight, paid_in: balance, paid_back: 0n }
  addEvent(context, place, validationID, event, { subnetID, nodeID })
}

interface Event {
  readonly event: string
  readonly weight: bigint | null
  readonly paid_in: bigint
  readonly paid_back: bigint
}

function addEvent(
  context: RowContext,
  { tx, index, height, time }: TxPlace,
  validationID: ID,
  event: Event,
  validator: { readonly subnetID: ID; readonly nodeID: NodeID } | undefined = l1ValidatorOf(context.view, validationID),
): void {
  const { texts } = context
  if (!validator) throw new Error(`the L1 validator ${validationID} is missing`)
  const row = { height, tx_index: index, tx_id: texts.id(tx.id), time, ...event }
  addEventRow(context, validationID, validator, row)
}

/** The position of an event without a transaction: after all transactions of its block. */
const LAST_INDEX = 0x7fff_ffff

/** Adds the validators of an L1 that used up their balance within a range of blocks. */
export function addRunOuts(context: RowContext, subnetID: ID, { first, last, timeAt }: PublishedRange): void {
  const { view } = context
  // The newest changes come first.
  for (const [{ height, stakerID }, { before }] of view.rows(tables.l1MemberDiffs, {
    under: { subnetID },
    from: { height: last },
  })) {
    if (height < first) return
    if (!before || before.endAccumulatedFee === 0n || !ranOutAt(view, stakerID, height)) continue
    const row = { height, tx_index: LAST_INDEX, tx_id: null, time: timeAt(height) }
    const event = { event: "ran_out", weight: null, paid_in: 0n, paid_back: 0n }
    addEventRow(context, stakerID, { subnetID, nodeID: before.nodeID }, { ...row, ...event })
  }
}

/** The kinds of transactions that change validators of L1s. */
const KINDS: readonly TxKind[] = [
  "ConvertSubnetToL1Tx",
  "RegisterL1ValidatorTx",
  "SetL1ValidatorWeightTx",
  "IncreaseL1ValidatorBalanceTx",
  "DisableL1ValidatorTx",
]

/** Adds the validators of L1s and their events of all blocks up to a height. */
export function addAllL1Events(context: RowContext, last: bigint): void {
  const { view } = context
  const timeAt = (height: bigint) => blockTime(view, height)
  for (const kind of KINDS) {
    const under = { typeID: txTypeOf(kind).typeID }
    for (const [{ height, index }, txID] of rowsOfList(view, explorerTables.txsByKind, under, { to: last })) {
      const tx = acceptedTx(view, txID)
      if (!tx) throw new Error(`transaction ${txID} is missing`)
      addL1Validators(context, { tx, index, height, time: timeAt(height), isCommitted: true })
    }
  }
  const range = { first: 1n, last, txsAt: () => [], timeAt }
  for (const [subnetID] of view.rows(tables.subnets)) addRunOuts(context, subnetID, range)
}

/** Returns the fees of a validator that is active since Etna after a block, nAVAX; null if they are not recorded. */
export function accruedFeeAt({ view, rules }: Pick<RowContext, "view" | "rules">, height: bigint, time: bigint): bigint | null {
  return l1FeeStateAt(view, rules, height, time)?.accruedFees ?? null
}

type EventRow = Omit<SqlRow<typeof sqlTables.l1_validator_events>, "validation_id" | "subnet_id" | "node_id" | "accrued_fee">

function addEventRow(
  context: RowContext,
  validationID: ID,
  { subnetID, nodeID }: { readonly subnetID: ID; readonly nodeID: NodeID },
  row: EventRow,
): void {
  const { rows, texts } = context
  rows.add(sqlTables.l1_validator_events, {
    validation_id: texts.id(validationID),
    subnet_id: texts.id(subnetID),
    node_id: texts.node(nodeID),
    ...row,
    accrued_fee: accruedFeeAt(context, row.height, row.time),
  })
}
