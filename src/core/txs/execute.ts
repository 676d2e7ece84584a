import { sha256 } from "../crypto/hash.js"
import { valueOrThrow } from "../lib/invalid.js"
import { MAX64 } from "../lib/math64.js"
import type { Dimensions } from "../networks/params.js"
import { isActive, type UpgradeName } from "../networks/upgrades.js"
import { baseComplexity } from "../rules/complexity.js"
import { type BlockContext, chainTimeOf, isActiveNow, type StakerInfo, type TxContext } from "../rules/context.js"
import { addDimensions, toGas } from "../rules/gas.js"
import { consumeInputs, produceOutputs } from "../rules/spend.js"
import type { Diff } from "../state/diff.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { type ID, idText } from "../types/id.js"
import { checkMemo } from "./base.js"
import type { TxDefinition } from "./defineTx.js"
import { txError } from "./errors.js"
import { decodeTx, type Tx, unsignedBytesOf } from "./tx.js"
import { txTypeOf, type UnsignedTx } from "./unsignedTx.js"

type AnyDefinition = TxDefinition<string, Record<never, never>, UnsignedTx>

/** Returns the definition of a transaction's kind. Its functions receive only transactions of that kind. */
const definitionOf = (tx: UnsignedTx) => txTypeOf(tx.kind) as AnyDefinition

/** Returns the complexity of a transaction. Throws `tx.unmetered` for the kinds that ended with Etna. */
export function complexityOf(tx: UnsignedTx): Dimensions {
  const definition = definitionOf(tx)
  if (!definition.intrinsic || !("inputs" in tx)) throw txError("tx.unmetered", { kind: tx.kind })
  return addDimensions(definition.intrinsic, baseComplexity(tx), ...(definition.parts?.(tx) ?? []))
}

export function warpMessageOf(tx: UnsignedTx): Uint8Array | undefined {
  return definitionOf(tx).warpMessage?.(tx)
}

/** Returns the staker that a transaction creates, if any. */
export function stakerInfoOf(tx: UnsignedTx): StakerInfo | undefined {
  return definitionOf(tx).staker?.(tx)
}

export function acceptedTx(view: View, txID: ID): Tx | undefined {
  const row = view.get(tables.txs, txID)
  return row && (view.decodedTxs?.valueOf(txID, row.bytes, decodeAccepted) ?? decodeAccepted(row.bytes))
}

/** Returns the staker that an accepted transaction created, if any. */
export function acceptedStaker(view: View, txID: ID): StakerInfo | undefined {
  const tx = acceptedTx(view, txID)
  return tx && stakerInfoOf(tx.unsignedTx)
}

/** Returns the staker that an accepted transaction is known to have created. */
export function requireStaker(view: View, txID: ID): StakerInfo {
  const staker = acceptedStaker(view, txID)
  if (!staker) throw new Error(`the transaction of staker ${txID} is missing`)
  return staker
}

/** Decodes an accepted transaction. Those of genesis may be larger than any other. */
const decodeAccepted = (bytes: Uint8Array): Tx => decodeTx(bytes, {})

/** Returns the fee of a transaction at a price of gas, nAVAX. Throws `tx.fee_overflow`. */
export function feeOf(tx: UnsignedTx, { params }: Pick<BlockContext, "params">, price: bigint): bigint {
  const gas = toGas(complexityOf(tx), params.dynamicFee.weights)
  if (gas * price > MAX64) throw txError("tx.fee_overflow", { gas, price })
  return gas * price
}

/** The context that the transactions of a block share. */
export interface Execution {
  readonly blockContext: BlockContext
  /** The price of a unit of gas, nAVAX; `undefined` before Etna, while gas has no price. */
  readonly price: bigint | undefined
  /** True if a validator may return, see `TxContext`. */
  readonly mayReturn: boolean
}

/** Executes a transaction that needs no decision. Returns the UTXOs that it imports from other chains. */
export function executeTx(tx: Tx, diff: Diff, execution: Execution): ReadonlySet<ID> {
  return withTxStep("standard", tx, () => {
    const definition = definitionOf(tx.unsignedTx)
    if (!definition.execute) throw txError("tx.wrong_place", { kind: tx.unsignedTx.kind })
    const context = txContextOf(tx, diff, execution)
    definition.checkFirst?.(tx.unsignedTx)
    checkAgainstRules(tx, definition, context)
    definition.execute(tx.unsignedTx, context)
    if ("inputs" in tx.unsignedTx) {
      consumeInputs(context, tx.unsignedTx.inputs)
      produceOutputs(context, tx.unsignedTx.outputs)
    }
    return context.imports
  })
}

/** Executes a transaction that a commit or abort block decides, with both outcomes. */
export function proposeTx(tx: Tx, commit: Diff, abort: Diff, execution: Execution): void {
  withTxStep("proposal", tx, () => {
    const definition = definitionOf(tx.unsignedTx)
    if (!definition.propose) throw txError("tx.wrong_place", { kind: tx.unsignedTx.kind })
    const context = txContextOf(tx, commit, execution)
    checkMayBeProposed(definition, context)
    checkAgainstRules(tx, definition, context)
    definition.propose(tx.unsignedTx, context, abort)
  })
}

/** Runs a function for a transaction, and adds the transaction and its role to a refusal. */
export function withTxStep<T>(as: "standard" | "proposal" | "atomic", { id }: Tx, action: () => T): T {
  return valueOrThrow(action, (refusal) => refusal.withStep(`${as} tx ${idText(id)} failed execution: `))
}

function txContextOf(tx: Tx, diff: Diff, { blockContext, price, mayReturn }: Execution): TxContext {
  let hash: Uint8Array | undefined
  return {
    blockContext,
    diff,
    txID: tx.id,
    credentials: tx.credentials,
    chainTime: chainTimeOf(diff),
    imports: new Set(),
    signingHash: () => {
      hash ??= sha256(unsignedBytesOf(tx))
      return hash
    },
    fee: () => (price === undefined ? 0n : feeOf(tx.unsignedTx, blockContext, price)),
    mayReturn,
    accepted: (txID) => {
      const found = acceptedTx(diff, txID)
      return found && { kind: found.unsignedTx.kind, staker: stakerInfoOf(found.unsignedTx) }
    },
  }
}

function checkMayBeProposed({ proposedUntil }: AnyDefinition, { blockContext, chainTime: time }: TxContext): void {
  if (!proposedUntil || !isActive(blockContext.upgrades, proposedUntil, time)) return
  throw txError("tx.proposed_after_banff", { time, banff: blockContext.upgrades.times[proposedUntil] })
}

/** Makes the checks that all kinds share: the upgrade, the form, the memo. */
function checkAgainstRules({ unsignedTx }: Tx, definition: AnyDefinition, context: TxContext): void {
  const { since, until, kind } = definition
  if (since && !isActiveNow(context, since)) throw txError("tx.not_yet_allowed", { kind, since, reference: notYet(since) })
  if (until && isActive(context.blockContext.upgrades, until, context.chainTime)) {
    const name = until[0]!.toUpperCase() + until.slice(1)
    throw txError("tx.no_longer_allowed", { kind, until, reference: `${kind} is not permitted post-${name}` })
  }
  definition.check(unsignedTx, context.blockContext)
  if ("memo" in unsignedTx && isActiveNow(context, "durango")) checkMemo(unsignedTx.memo, 0)
}

function notYet(since: UpgradeName): string {
  const name = since[0]!.toUpperCase() + since.slice(1)
  return `attempting to use ${name === "Etna" ? "an" : "a"} ${name}-upgrade feature prior to activation`
}
