import { executionAt } from "../../core/blocks/steps.js"
import { stateAt } from "../../core/chain/builder.js"
import { tryTx } from "../../core/chain/tryTx.js"
import { decode } from "../../core/codec/decode.js"
import { Invalid, valueOrInvalid } from "../../core/lib/invalid.js"
import { mul64 } from "../../core/lib/math64.js"
import type { Dimensions } from "../../core/networks/params.js"
import { nextBlockTime } from "../../core/rules/chainTime.js"
import { toGas } from "../../core/rules/gas.js"
import { Diff } from "../../core/state/diff.js"
import type { AnyTable } from "../../core/state/table.js"
import { tables } from "../../core/state/tables.js"
import { complexityOf } from "../../core/txs/execute.js"
import { decodeTx, type Tx } from "../../core/txs/tx.js"
import { topLevelUnsignedTx } from "../../core/txs/unsignedTx.js"
import type { Utxo } from "../../core/types/utxo.js"
import type { ChainStatus } from "../chain/chainStatus.js"
import { blankTx } from "../keys/credentials.js"

/** A row that a transaction would change. `undefined` means that there is no row. */
export interface Change {
  readonly table: AnyTable
  readonly key: string
  readonly before: unknown
  readonly after: unknown
}

/** The effects that a transaction would have in a block made now. */
export interface Simulation {
  /** The reason of the refusal, if it would be refused. */
  readonly error: Invalid | undefined
  /** The fee in nAVAX. */
  readonly fee: bigint
  readonly complexity: Dimensions
  readonly consumed: readonly Utxo[]
  readonly produced: readonly Utxo[]
  /** The changed rows other than UTXOs. */
  readonly changes: readonly Change[]
}

const NO_COMPLEXITY: Dimensions = { bandwidth: 0n, dbRead: 0n, dbWrite: 0n, compute: 0n }

/**
 * Executes a transaction, signed or not, as in a block made now, and changes nothing. Throws `codec.*` for bytes that are not a
 * transaction.
 */
export function simulate(chain: ChainStatus, bytes: Uint8Array, now: bigint): Simulation {
  const { tx, isSigned } = parse(bytes)
  const context = chain.contextAt(now)
  const scratch = stateAt(nextBlockTime(context.state, context.blockContext, now).time, context)
  const blockContext = isSigned ? context.blockContext : { ...context.blockContext, isImpersonated: () => true }
  const layer = new Diff(scratch)
  const execution = executionAt(scratch, blockContext)
  const measured = valueOrInvalid(() => complexityOf(tx.unsignedTx))
  const complexity = measured instanceof Invalid ? NO_COMPLEXITY : measured
  const outcome = measured instanceof Invalid ? measured : tryTx(tx, layer, execution, context.pChainHeight)
  const error = outcome instanceof Invalid ? outcome : undefined
  const fee = mul64(toGas(complexity, blockContext.params.dynamicFee.weights), execution.price ?? 0n)
  if (error) return { error, fee, complexity, consumed: [], produced: [], changes: [] }
  return { error, fee, complexity, ...effectsOf(layer) }
}

function effectsOf(layer: Diff): Pick<Simulation, "consumed" | "produced" | "changes"> {
  const consumed: Utxo[] = []
  const produced: Utxo[] = []
  const changes: Change[] = []
  for (const [table, rows] of layer.edits) {
    for (const [key, { value: after }] of rows) {
      const before: unknown = layer.parent.get(table, table.key.fromText(key))
      if (table !== tables.utxos) changes.push({ table, key, before, after })
      else if (after !== undefined) produced.push(after as Utxo)
      else if (before !== undefined) consumed.push(before as Utxo)
    }
  }
  return { consumed, produced, changes }
}

function parse(bytes: Uint8Array): { readonly tx: Tx; readonly isSigned: boolean } {
  try {
    return { tx: decodeTx(bytes), isSigned: true }
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    try {
      return { tx: blankTx(decode(topLevelUnsignedTx, bytes)), isSigned: false }
    } catch {
      throw error
    }
  }
}
