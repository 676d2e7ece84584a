import { toHex } from "../../lib/bytes.js"
import { outputOf } from "../../readmodel/explorer/outputOf.js"
import { l1ValidatorOf } from "../../readmodel/explorer/subjects.js"
import { openWarpMessage } from "../../rules/warp.js"
import type { ID, NodeID } from "../../types/id.js"
import { innerOutput } from "../../types/output.js"
import type { PChainOwner } from "../../types/owners.js"
import { initialValidationIDOf, registrationIDOf } from "../../types/warp/pChainMessage.js"
import type { RowContext, TxPlace } from "../rowContext.js"
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
  { rows, texts, view }: RowContext,
  { tx, index, height, time }: TxPlace,
  validationID: ID,
  event: Event,
  validator: { readonly subnetID: ID; readonly nodeID: NodeID } | undefined = l1ValidatorOf(view, validationID),
): void {
  if (!validator) throw new Error(`the L1 validator ${validationID} is missing`)
  rows.add(sqlTables.l1_validator_events, {
    validation_id: texts.id(validationID),
    height,
    tx_index: index,
    tx_id: texts.id(tx.id),
    time,
    subnet_id: texts.id(validator.subnetID),
    node_id: texts.node(validator.nodeID),
    ...event,
  })
}
