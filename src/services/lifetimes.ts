import { lastBlockOf } from "../core/readmodel/history.js"
import type { Address } from "../core/types/address.js"
import type { ID } from "../core/types/id.js"
import type { Lifetime } from "../jsonrpc/method.js"
import type { Context } from "./context.js"

/** For ever: the answer is part of the node's rules, genesis or identity. */
export const forEver: Lifetime<unknown, Context> = { kind: "always", summary: "for ever", moment: () => "" }

/** Until the state changes: by a block, a revert or an override. */
export const ofState: Lifetime<unknown, Context> = {
  kind: "state",
  summary: "until the state changes",
  moment: (_params, { changes }) => changes.state,
}

/** The same for results that may also come from elsewhere, such as the mempool: only those that `keeps` accepts. */
export const ofStateIf = <R>(keeps: (result: R) => boolean): Lifetime<unknown, Context, R> => ({ ...ofState, keeps })

/** Until the state changes, and as long as a fact about the node, which is not in the state, is the same. */
export function ofStateAnd(summary: string, factOf: (context: Context) => string): Lifetime<unknown, Context> {
  return {
    kind: "state",
    summary: `until the state or ${summary} changes`,
    moment: (_params, context) => `${context.changes.state} ${factOf(context)}`,
  }
}

/** For one second of the node's clock, if `changesWithTime`, and until the state changes. */
export function ofSecond(changesWithTime: (context: Context) => boolean): Lifetime<unknown, Context> {
  return {
    kind: "second",
    summary: "for one second, and until the state changes",
    moment: (_params, context) =>
      changesWithTime(context) ? `${context.changes.state} ${context.node.now()}` : context.changes.state,
  }
}

/** A block on which an answer depends. An answer about the state after the block also depends on its overrides. */
export interface AnswerBlock {
  readonly id: ID
  /** The height, for an answer about the state after the block. */
  readonly stateAt?: bigint
}

/** As long as an accepted block (or transaction) is part of the chain; if `blockOf` returns `undefined`, until the state changes. */
export function ofBlock<P>(
  blockOf: (params: P, context: Context) => AnswerBlock | undefined,
  factOf?: (params: P, context: Context) => string,
): Lifetime<P, Context> {
  return {
    kind: "block",
    summary: "as long as its block is part of the chain",
    moment: (params, context) => (factOf ? `${context.changes.state} ${factOf(params, context)}` : context.changes.state),
    stamp(params, context) {
      const block = context.isPastElsewhere ? undefined : blockOf(params, context)
      if (!block) return context.changes.state
      return `${block.id} ${context.changes.until(block.stateAt ?? 0n, context.height)} ${factOf?.(params, context) ?? ""}`
    },
  }
}

/** Until a transaction touches one of these addresses; if `isOfState` returns true, until the state changes. */
export function untilTouched<P, R>(
  addressesOf: (params: P, context: Context) => readonly Address[],
  more: {
    readonly isOfState?: (params: P, context: Context) => boolean
    /** Returns the time at which a result changes because of the clock, Unix seconds. */
    readonly changesAt?: (result: R) => bigint | undefined
  } = {},
): Lifetime<P, Context, R> {
  const { isOfState, changesAt } = more
  return {
    kind: "address",
    summary: "until a transaction touches one of the addresses",
    moment: (_params, { changes }) => changes.state,
    stamp(params, context) {
      const { view, changes, isPastElsewhere, height } = context
      if (isPastElsewhere || isOfState?.(params, context)) return changes.state
      const lastBlocks = addressesOf(params, context).map((address) => lastBlockOf(view, address))
      return `${changes.until(height, height)} ${lastBlocks.join()}`
    },
    ...(changesAt ? { clock: { now: ({ node }: Context) => node.now(), changesAt } } : {}),
  }
}
