import { stakerInfoOf } from "../txs/execute.js"
import type { UnsignedTx } from "../txs/unsignedTx.js"
import type { ID } from "../types/id.js"
import { unlockedInput } from "../types/input.js"
import { unlocked } from "../types/output.js"

/**
 * What a transaction paid, nAVAX: the AVAX it takes and neither gives, stakes, exports nor puts on an L1 validator's account. More
 * than it had to pay counts too, since it is burned all the same.
 */
export function feePaid(tx: UnsignedTx, avaxAssetID: ID): bigint {
  if (!("inputs" in tx)) return 0n
  const inputs = tx.kind === "ImportTx" ? [...tx.inputs, ...tx.importedInputs] : tx.inputs
  // What genesis staked was never taken from anyone.
  if (inputs.length === 0) return 0n
  const exported = tx.kind === "ExportTx" ? tx.exportedOutputs : []
  const outputs = [...tx.outputs, ...(stakerInfoOf(tx)?.stake ?? []), ...exported]
  let fee = -l1BalanceOf(tx)
  for (const { assetID, input } of inputs) if (assetID === avaxAssetID) fee += unlockedInput(input).amount
  for (const { assetID, output } of outputs) if (assetID === avaxAssetID) fee -= unlocked(output).amount
  return fee
}

/** What goes to the accounts of L1 validators, nAVAX. */
function l1BalanceOf(tx: UnsignedTx): bigint {
  switch (tx.kind) {
    case "RegisterL1ValidatorTx":
    case "IncreaseL1ValidatorBalanceTx":
      return tx.balance
    case "ConvertSubnetToL1Tx":
      return tx.validators.reduce((sum, { balance }) => sum + balance, 0n)
    default:
      return 0n
  }
}
