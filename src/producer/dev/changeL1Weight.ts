import { tables } from "../../core/state/tables.js"
import { txError } from "../../core/txs/errors.js"
import { type ID, idText } from "../../core/types/id.js"
import type { Payment } from "../funds/payment.js"
import type { ChainTurn } from "../turn/chainTurn.js"
import { managerMessage } from "./managerMessage.js"
import { issueFromTreasury, type TreasuryTx } from "./putIntoBlock.js"

/** A new weight of an L1 validator. */
export interface L1WeightRequest {
  readonly validationID: ID
  /** 0 removes the validator. */
  readonly weight: bigint
  /** The nonce of the message; the smallest that is allowed by default. */
  readonly nonce?: bigint | undefined
}

/** A weight that was set. */
export interface L1WeightSet extends TreasuryTx {
  readonly nonce: bigint
}

/** Sets the weight of an L1 validator: signs the message of its manager, and issues the transaction, which the treasury pays. */
export async function changeL1Weight(
  chain: ChainTurn,
  { validationID, weight, nonce: given }: L1WeightRequest,
): Promise<L1WeightSet> {
  await chain.catchUp()
  const validator = chain.status.view.get(tables.l1Validators, validationID)
  if (!validator) {
    const reference = "could not load L1 validator: not found"
    throw txError("tx.unknown_l1_validator", { validationID: idText(validationID), reference })
  }
  const nonce = given ?? validator.minNonce
  const message = managerMessage(chain, validator.subnetID, { kind: "L1ValidatorWeight", validationID, nonce, weight })
  const make: Payment["make"] = (parts) => ({ kind: "SetL1ValidatorWeightTx", ...parts, message })
  return { nonce, ...(await issueFromTreasury(chain, { amount: 0n, make })) }
}
