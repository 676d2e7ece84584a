import { MAX64 } from "../lib/math64.js"
import { type ID, idText } from "../types/id.js"
import { type TransferableInput, unlockedInput } from "../types/input.js"
import { innerOutput, type TransferableOutput } from "../types/output.js"
import { utxoID } from "../types/utxo.js"
import { txError } from "./errors.js"
import type { UnsignedTx } from "./unsignedTx.js"

/** The inputs and outputs of a transaction, on this chain and others. */
export interface TxAmounts {
  /** The inputs, including imported ones. */
  readonly inputs: readonly TransferableInput[]
  /** The outputs, including stake and exported outputs. */
  readonly outputs: readonly TransferableOutput[]
  /** The amount added to the balances of L1 validators, nAVAX. */
  readonly balances: bigint
}

/** Returns the inputs and outputs of a transaction; none for the kinds that advance time or pay rewards. */
export function amountsOf(tx: UnsignedTx): TxAmounts {
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

/**
 * Returns the AVAX that a transaction burns, nAVAX: its inputs without its outputs, stake, exports and L1 balances. That is its fee, and
 * any amount it pays beyond the fee. Throws `tx.mints` if it produces more than it consumes.
 */
export function burnedAvax(tx: UnsignedTx, avaxAssetID: ID): bigint {
  const { inputs, outputs, balances } = amountsOf(tx)
  let burned = -balances
  let taken = 0n
  for (const { assetID, input } of inputs) if (assetID === avaxAssetID) taken += unlockedInput(input).amount
  for (const { assetID, output } of outputs) if (assetID === avaxAssetID) burned -= innerOutput(output).amount
  burned += taken
  if (taken > MAX64 || burned < 0n) throw txError("tx.mints", { taken, burned, asset: idText(avaxAssetID) })
  return burned
}

/** Returns the AVAX that an accepted transaction burned, nAVAX; zero for the stakers of genesis, whose stake has no inputs. */
export function feePaid(tx: UnsignedTx, avaxAssetID: ID): bigint {
  return amountsOf(tx).inputs.length === 0 ? 0n : burnedAvax(tx, avaxAssetID)
}

/** Returns the IDs of the UTXOs that a transaction consumes, including imported ones. No two transactions may consume the same. */
export function consumedUtxoIDs(tx: UnsignedTx): ID[] {
  return amountsOf(tx).inputs.map(({ txID, outputIndex }) => utxoID(txID, outputIndex))
}
