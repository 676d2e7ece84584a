import { withStep } from "../lib/invalid.js"
import { MAX64 } from "../lib/math64.js"
import type { TxContext } from "../rules/context.js"
import { rulesError } from "../rules/errors.js"
import { type Spend, verifySpend } from "../rules/spend.js"
import type { ID } from "../types/id.js"
import type { TransferableOutput } from "../types/output.js"
import type { Verifiable } from "../types/verifiable.js"
import type { Base } from "./base.js"

/** Differences from the usual spending, in which inputs cover outputs and the fee. */
export interface SpendOptions {
  /** Outputs besides the ordinary ones: stake, exports. */
  readonly more?: readonly TransferableOutput[]
  /** The AVAX that is burned besides the fee: balances of L1 validators. */
  readonly burn?: bigint
  /** AvalancheGo's message if that and the fee do not fit into 64 bits. */
  readonly overflow?: string
  /** Amounts of other assets that are burned. */
  readonly burnAlso?: ReadonlyMap<ID, bigint>
  /** AvalancheGo's name of the check in refusals, if it has one. */
  readonly step?: string
  /** AvalancheGo's name of the calculation of the fee, if it has one. */
  readonly feeStep?: string
  /** The credentials of the inputs; all, unless the last one is an authorisation. */
  readonly credentials?: readonly Verifiable[]
  readonly inputs?: Spend["inputs"]
  readonly utxos?: Spend["utxos"]
}

/** AvalancheGo's name of the check for transactions that stake or change a subnet's validators. */
export const FLOW_CHECK = "flow check failed: "

/** Checks that a transaction pays for its outputs and its fee. */
export function requirePaid(context: TxContext, tx: Base, options: SpendOptions = {}): void {
  const { more = [], burn = 0n, burnAlso = [], credentials = context.credentials, inputs = tx.inputs } = options
  const { step = "", feeStep = "", overflow = "adding fee: overflow", utxos } = options
  const total = burn + withStep(feeStep, () => context.fee())
  if (total > MAX64) throw rulesError("rules.burn_overflow", { burn, reference: overflow })
  withStep(step, () =>
    verifySpend(context, {
      inputs,
      ...(utxos ? { utxos } : {}),
      outputs: [...tx.outputs, ...more],
      credentials,
      burns: new Map([...burnAlso, [context.blockContext.avaxAssetID, total]]),
    }),
  )
}
