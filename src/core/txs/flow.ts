import { MAX64 } from "../lib/math64.js"
import { type ID, idText } from "../types/id.js"
import { type TransferableInput, unlockedInput } from "../types/input.js"
import { type TransferableOutput, unlocked } from "../types/output.js"
import { utxoID } from "../types/utxo.js"
import { txError } from "./errors.js"
import type { UnsignedTx } from "./unsignedTx.js"

/** What a transaction takes and what it gives, wherever from and to. */
export interface Flow {
  /** Those it imports too. */
  readonly inputs: readonly TransferableInput[]
  /** Stake and exports too. */
  readonly outputs: readonly TransferableOutput[]
  /** What it sets aside for L1 validators to pay their fee from, nAVAX. */
  readonly balances: bigint
}

/** The flow of a transaction; nothing flows in those that only time and rewards make. */
export function flowOf(tx: UnsignedTx): Flow {
  if (!("inputs" in tx)) return { inputs: [], outputs: [], balances: 0n }
  const imported = "importedInputs" in tx ? tx.importedInputs : []
  const exported = "exportedOutputs" in tx ? tx.exportedOutputs : []
  const staked = "stake" in tx ? tx.stake : []
  return {
    inputs: [...tx.inputs, ...imported],
    outputs: [...tx.outputs, ...staked, ...exported],
    balances: balancesOf(tx),
  }
}

function balancesOf(tx: UnsignedTx): bigint {
  if (tx.kind === "ConvertSubnetToL1Tx") return tx.validators.reduce((sum, { balance }) => sum + balance, 0n)
  return "balance" in tx ? tx.balance : 0n
}

/** The AVAX (nAVAX) that is gone after a transaction: its fee, and whatever it gives away. Throws `tx.mints`. */
export function burnedBy(tx: UnsignedTx, avaxAssetID: ID): bigint {
  const { inputs, outputs, balances } = flowOf(tx)
  let burned = -balances
  let taken = 0n
  for (const { assetID, input } of inputs) if (assetID === avaxAssetID) taken += unlockedInput(input).amount
  for (const { assetID, output } of outputs) if (assetID === avaxAssetID) burned -= unlocked(output).amount
  burned += taken
  if (taken > MAX64 || burned < 0n) throw txError("tx.mints", { taken, burned, asset: idText(avaxAssetID) })
  return burned
}

/** The UTXOs that a transaction takes, imported ones too: no two transactions may take the same. */
export function takenBy(tx: UnsignedTx): ID[] {
  return flowOf(tx).inputs.map(({ txID, outputIndex }) => utxoID(txID, outputIndex))
}
