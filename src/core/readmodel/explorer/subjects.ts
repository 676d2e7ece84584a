import { toHex } from "../../lib/bytes.js"
import type { StakerInfo } from "../../rules/context.js"
import { openWarpMessage } from "../../rules/warp.js"
import type { View } from "../../state/view.js"
import { acceptedStaker, acceptedTx, stakerInfoOf } from "../../txs/execute.js"
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
  const staker = stakerOfTx({ id, unsignedTx: tx }, view)
  if (staker) for (const subject of [staker.txID, staker.subnetID, nodeSubject(staker.nodeID)]) subjects.add(subject)
  if (tx.kind === "ConvertSubnetToL1Tx") subjects.add(tx.chainID)
  for (const { validationID, validator } of l1ChangesOf(tx, view)) {
    subjects.add(validationID)
    if (validator) for (const subject of [validator.subnetID, nodeSubject(validator.nodeID)]) subjects.add(subject)
  }
  return subjects
}

/** A staker, and the transaction that added it. */
export interface StakerOfTx extends Pick<StakerInfo, "role" | "nodeID" | "subnetID"> {
  readonly txID: ID
}

/** Returns the staker that a transaction creates, changes or rewards. */
export function stakerOfTx({ id, unsignedTx: tx }: Pick<Tx, "id" | "unsignedTx">, view: View): StakerOfTx | undefined {
  const txID = "txID" in tx ? tx.txID : id
  const info = "txID" in tx ? acceptedStaker(view, txID) : stakerInfoOf(tx)
  return info && { txID, role: info.role, nodeID: info.nodeID, subnetID: info.subnetID }
}

/** What a transaction does to an L1 validator. Amounts in nAVAX. */
export interface L1Change {
  readonly validationID: ID
  /** The validator as it was created; `undefined` if it is unknown. */
  readonly validator: L1ValidatorPlace | undefined
  /** The weight from then on. */
  readonly weight?: bigint
  /** The amount that is added to its balance. */
  readonly added?: bigint
}

/** Returns the L1 validators that a transaction registers, changes, tops up or disables. */
export function l1ChangesOf(tx: UnsignedTx, view: View): readonly L1Change[] {
  if (tx.kind === "ConvertSubnetToL1Tx") return firstValidatorsOf(tx)
  const change = l1ChangeOf(tx)
  return change ? [{ ...change, validator: l1ValidatorOf(view, change.validationID, tx) }] : []
}

function firstValidatorsOf({ subnetID, validators }: Extract<UnsignedTx, { kind: "ConvertSubnetToL1Tx" }>): readonly L1Change[] {
  return validators.map(({ nodeID, weight, balance }, i) => ({
    validationID: initialValidationIDOf(subnetID, i),
    validator: { subnetID, nodeID: toHex(nodeID) as NodeID, weight, balance },
    weight,
    added: balance,
  }))
}

function l1ChangeOf(tx: UnsignedTx): Omit<L1Change, "validator"> | undefined {
  switch (tx.kind) {
    case "RegisterL1ValidatorTx": {
      const { message } = openWarpMessage(tx.message, "RegisterL1Validator")
      return { validationID: registrationIDOf(message), weight: message.weight, added: tx.balance }
    }
    case "SetL1ValidatorWeightTx": {
      const { validationID, weight } = openWarpMessage(tx.message, "L1ValidatorWeight").message
      return { validationID, weight }
    }
    case "IncreaseL1ValidatorBalanceTx":
      return { validationID: tx.validationID, added: tx.balance }
    case "DisableL1ValidatorTx":
      return { validationID: tx.validationID }
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
  return firstValidatorsOf(tx).find((each) => each.validationID === validationID)?.validator
}
