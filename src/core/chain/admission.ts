import { priceAt } from "../blocks/steps.js"
import { unmarshalText } from "../codec/errors.js"
import { Invalid } from "../lib/invalid.js"
import { mul64 } from "../lib/math64.js"
import type { Dimensions } from "../networks/params.js"
import { isActive } from "../networks/upgrades.js"
import { advanceChainTime, gasOf, nextBlockTime } from "../rules/chainTime.js"
import type { BlockContext } from "../rules/context.js"
import { toGas } from "../rules/gas.js"
import { Diff } from "../state/diff.js"
import type { View } from "../state/view.js"
import { burnedAvax } from "../txs/amounts.js"
import { complexityOf, executeTx } from "../txs/execute.js"
import type { Tx } from "../txs/tx.js"
import { chainError } from "./errors.js"
import type { Drop, TxMetering } from "./mempool.js"
import { checkTxSize } from "./sizes.js"
import { verifyWarpOf } from "./tryTx.js"

/** State and rules against which a transaction for the next block is verified. */
export interface AdmissionContext {
  readonly blockContext: BlockContext
  /** The state of the block that the next one would be built on. */
  readonly preferred: View
  /** The height at which its Warp message is verified: the one that the next block would name. */
  readonly pChainHeight: bigint
}

/** The decision about a transaction: it may wait for a block, or it is refused with a reason. */
export type TxAdmission = AdmittedTx | RefusedTx

export interface AdmittedTx extends TxMetering {
  readonly ok: true
  /** The AVAX that it must burn at the price of the next block, nAVAX; zero before Etna. */
  readonly fee: bigint
  readonly complexity: Dimensions
}

export interface RefusedTx extends Drop {
  readonly ok: false
  /** The text for the issuer: the reason, and the first time also that the refusal came from verification. */
  readonly answer: string
}

/** Executes a transaction on a copy of the state, as in a block made now, and returns whether it is valid. The copy is dropped. */
export function verifyForAdmission(tx: Tx, { blockContext, preferred, pChainHeight }: AdmissionContext): TxAdmission {
  const { unsignedTx } = tx
  let step = ""
  try {
    checkTxSize(tx, blockContext)
    step = "failed verifying warp messages: "
    verifyWarpOf(tx, blockContext, pChainHeight)
    step = "failed to advance the chain time: "
    const diff = new Diff(preferred)
    advanceChainTime(diff, blockContext, nextBlockTime(preferred, blockContext, blockContext.now).time)
    const price = priceAt(diff, blockContext)
    if (price !== undefined) {
      step = "failed to calculate tx complexity: "
      const complexity = complexityOf(unsignedTx)
      step = "failed to calculate tx gas: "
      const gas = toGas(complexity, blockContext.params.dynamicFee.weights)
      step = ""
      checkCapacity(gas, diff)
    }
    step = "failed execution: "
    executeTx(tx, diff, { blockContext, price, mayReturn: isActive(blockContext.upgrades, "helicon", blockContext.now) })
    step = METERING
    const complexity = complexityOf(unsignedTx)
    const gas = toGas(complexity, blockContext.params.dynamicFee.weights)
    return { ok: true, fee: mul64(gas, price ?? 0n), complexity, gas, burned: burnedAvax(unsignedTx, blockContext.avaxAssetID) }
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    const reason = step + error.steps + unmarshalText(error)
    return { ok: false, error, reason, answer: step === METERING ? reason : `failed verification: ${reason}` }
  }
}

/** The mempool meters transactions after verification. Kinds that cannot be metered fail here at any time. */
const METERING = "failed to meter tx: "

function checkCapacity(gas: bigint, state: View): void {
  const { capacity } = gasOf(state)
  if (gas > capacity) throw chainError("chain.tx_above_capacity", { gas, capacity })
}
