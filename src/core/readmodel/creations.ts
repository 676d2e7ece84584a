import { toHex } from "../lib/bytes.js"
import { openWarpMessage } from "../rules/warp.js"
import type { ValidatorKey } from "../state/staker.js"
import type { View } from "../state/view.js"
import { acceptedTx } from "../txs/execute.js"
import type { UnsignedTx } from "../txs/unsignedTx.js"
import type { ID, NodeID } from "../types/id.js"
import type { PChainOwner } from "../types/owners.js"
import { initialValidationIDOf, registrationIDOf } from "../types/warp/pChainMessage.js"
import type { Projection } from "./projection.js"
import { readTables } from "./tables.js"

/** Records which transaction created each L1 validator, subnet and chain, and their order. The state itself does not have it. */
export const creations: Projection = {
  tables: [readTables.l1ValidatorTxs, readTables.subnetsInOrder, readTables.chainsInOrder],

  onBlock({ diff }, { height, txs }) {
    for (const { tx, index } of txs) {
      const { unsignedTx, id: txID } = tx
      if (unsignedTx.kind === "CreateSubnetTx") diff.put(readTables.subnetsInOrder, { height, index }, txID)
      if (unsignedTx.kind === "CreateChainTx") {
        diff.put(readTables.chainsInOrder, { subnetID: unsignedTx.subnetID, height, index }, txID)
      }
      for (const { validationID } of createdL1Validators(unsignedTx)) diff.put(readTables.l1ValidatorTxs, validationID, txID)
    }
  },
}

/** An L1 validator as a transaction creates it. Its balance is in nAVAX. */
export interface NewL1Validator extends ValidatorKey {
  readonly validationID: ID
  readonly publicKey: Uint8Array
  readonly weight: bigint
  readonly balance: bigint
  readonly remainingBalanceOwner: PChainOwner
  readonly deactivationOwner: PChainOwner
}

export function createdL1Validators(tx: UnsignedTx): readonly NewL1Validator[] {
  if (tx.kind === "ConvertSubnetToL1Tx") {
    const { subnetID } = tx
    return tx.validators.map((validator, i) => {
      const nodeID = toHex(validator.nodeID) as NodeID
      const { publicKey } = validator.signer
      return { ...validator, validationID: initialValidationIDOf(subnetID, i), subnetID, nodeID, publicKey }
    })
  }
  if (tx.kind !== "RegisterL1ValidatorTx") return []
  const { message } = openWarpMessage(tx.message, "RegisterL1Validator")
  const { blsPublicKey: publicKey, disableOwner: deactivationOwner } = message
  const ids = { validationID: registrationIDOf(message), nodeID: toHex(message.nodeID) as NodeID }
  return [{ ...message, ...ids, publicKey, deactivationOwner, balance: tx.balance }]
}

/** Returns the L1 validator of a validation ID as it was created, removed or not. */
export function createdL1Validator(view: View, validationID: ID): NewL1Validator | undefined {
  const creatorID = view.get(readTables.l1ValidatorTxs, validationID)
  const creator = creatorID && acceptedTx(view, creatorID)
  return creator && createdL1Validators(creator.unsignedTx).find((each) => each.validationID === validationID)
}
