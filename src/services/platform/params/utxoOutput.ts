import { innerOutput } from "../../../core/types/output.js"
import { type Utxo, utxoID } from "../../../core/types/utxo.js"
import { described, list, optional } from "../../../jsonrpc/schema/kinds.js"
import { u32, u64 } from "../../../jsonrpc/schema/numbers.js"
import { addressOutput, id } from "../../kinds.js"

/** The maximum number of owners of an output that are shown. An output may have thousands of them. */
const MAX_SHOWN = 64

/** The members of a result that describe an output of a transaction. */
export const utxoMembers = {
  utxoID: id,
  txID: described(id, "The ID of the transaction that the output is named by."),
  outputIndex: u32,
  assetID: id,
  amount: described(u64, "The amount in the smallest unit of the asset: nAVAX for AVAX."),
  addresses: described(list(addressOutput), "The owners, the first 64 if there are more."),
  ownerCount: described(optional(u32), "The number of owners, if there are more than 64."),
  threshold: described(u32, "The number of owners that must sign."),
  locktime: described(optional(u64), "The time before which the output cannot be spent, in Unix seconds, if it has one."),
  stakeableLocktime: described(
    optional(u64),
    "The time before which the output can only be staked, in Unix seconds, if it has one.",
  ),
}

/** Returns these members for an output. */
export function utxoFacts({ txID, outputIndex, assetID, output }: Utxo) {
  const { amount, addresses, threshold, locktime } = innerOutput(output)
  return {
    utxoID: utxoID(txID, outputIndex),
    txID,
    outputIndex,
    assetID,
    amount,
    addresses: addresses.slice(0, MAX_SHOWN),
    ownerCount: addresses.length > MAX_SHOWN ? addresses.length : undefined,
    threshold,
    locktime: locktime === 0n ? undefined : locktime,
    stakeableLocktime: output.kind === "LockOut" ? output.locktime : undefined,
  }
}
