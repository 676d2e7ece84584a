import { toHex } from "../../lib/bytes.js"
import { openWarpMessage } from "../../rules/warp.js"
import type { View } from "../../state/view.js"
import { acceptedTx, stakerInfoOf } from "../../txs/execute.js"
import type { Tx } from "../../txs/tx.js"
import type { UnsignedTx } from "../../txs/unsignedTx.js"
import type { ID, NodeID } from "../../types/id.js"
import { initialValidationIDOf, registrationIDOf } from "../../types/warp/pChainMessage.js"
import { readTables } from "../tables.js"

/** Returns the subject of a node: its ID, padded to 32 bytes. No hash ends like this. */
export const nodeSubject = (nodeID: NodeID): ID => `${nodeID}${"ff".repeat(12)}` as ID

/**
 * Returns everything that a transaction concerns: subnets, chains, nodes, L1 validators (by validation ID) and stakers (by transaction).
 */
export function subjectsOf({ id, unsignedTx: tx }: Tx, view: View): ReadonlySet<ID> {
  const subjects = new Set<ID>()
  if (tx.kind === "CreateSubnetTx" || tx.kind === "CreateChainTx") subjects.add(id)
  if ("subnetID" in tx) subjects.add(tx.subnetID)
  if (tx.kind === "ImportTx") subjects.add(tx.sourceChain)
  if (tx.kind === "ExportTx") subjects.add(tx.destinationChain)
  if (tx.kind === "RemoveSubnetValidatorTx") subjects.add(nodeSubject(tx.nodeID))
  for (const subject of stakerSubjects(id, tx, view)) subjects.add(subject)
  for (const subject of l1Subjects(tx, view)) subjects.add(subject)
  return subjects
}

/** Returns the staker that a transaction creates, changes or rewards, with its node and its subnet. */
function* stakerSubjects(id: ID, tx: UnsignedTx, view: View): Iterable<ID> {
  const stakerID = "txID" in tx ? tx.txID : id
  const staker = "txID" in tx ? acceptedTx(view, stakerID)?.unsignedTx : tx
  const info = staker && stakerInfoOf(staker)
  if (!info) return
  yield stakerID
  yield info.subnetID
  yield nodeSubject(info.nodeID)
}

function* l1Subjects(tx: UnsignedTx, view: View): Iterable<ID> {
  if (tx.kind === "ConvertSubnetToL1Tx") {
    yield tx.chainID
    for (const [i, validator] of tx.validators.entries()) {
      yield initialValidationIDOf(tx.subnetID, i)
      yield nodeSubject(toHex(validator.nodeID) as NodeID)
    }
  }
  const validationID = validationIDOf(tx)
  if (validationID === undefined) return
  yield validationID
  const validator = l1ValidatorOf(view, validationID, tx)
  if (!validator) return
  yield validator.subnetID
  yield nodeSubject(validator.nodeID)
}

/** Returns the L1 validator that a transaction registers, changes, tops up or disables. */
function validationIDOf(tx: UnsignedTx): ID | undefined {
  switch (tx.kind) {
    case "RegisterL1ValidatorTx":
      return registrationIDOf(openWarpMessage(tx.message, "RegisterL1Validator").message)
    case "SetL1ValidatorWeightTx":
      return openWarpMessage(tx.message, "L1ValidatorWeight").message.validationID
    case "IncreaseL1ValidatorBalanceTx":
    case "DisableL1ValidatorTx":
      return tx.validationID
    default:
      return undefined
  }
}

/** The subnet and the node of an L1 validator, from the transaction that created it. */
export interface L1ValidatorPlace {
  readonly subnetID: ID
  readonly nodeID: NodeID
  /** Its initial weight. */
  readonly weight: bigint
  /** Its initial balance, nAVAX. */
  readonly balance: bigint
}

/** Returns the L1 validator of a validation ID, removed or not. `made` is the current transaction, which may be the one that creates it. */
export function l1ValidatorOf(view: View, validationID: ID, made?: UnsignedTx): L1ValidatorPlace | undefined {
  const creatorID = view.get(readTables.l1ValidatorTxs, validationID)
  const tx = made?.kind === "RegisterL1ValidatorTx" ? made : creatorID && acceptedTx(view, creatorID)?.unsignedTx
  if (tx?.kind === "RegisterL1ValidatorTx") {
    const { message } = openWarpMessage(tx.message, "RegisterL1Validator")
    const nodeID = toHex(message.nodeID) as NodeID
    return { subnetID: message.subnetID, nodeID, weight: message.weight, balance: tx.balance }
  }
  if (tx?.kind !== "ConvertSubnetToL1Tx") return undefined
  const at = tx.validators.findIndex((_, i) => initialValidationIDOf(tx.subnetID, i) === validationID)
  const validator = tx.validators[at]
  return validator && { ...validator, subnetID: tx.subnetID, nodeID: toHex(validator.nodeID) as NodeID }
}
