import { type Variant, variant } from "../codec/oneOf.js"
import type { Fields, JsonOfMembers, ValueOf } from "../codec/struct.js"
import type { Dimensions } from "../networks/params.js"
import type { UpgradeName } from "../networks/upgrades.js"
import type { StakerInfo, TxContext } from "../rules/context.js"
import type { Diff } from "../state/diff.js"
import type { CheckContext } from "./base.js"

/** One kind of transaction: its fields, the upgrades that allow it, its checks, its complexity and its execution. */
export interface TxDefinition<K extends string, F extends Fields, T = ValueOf<NoInfer<F>> & { readonly kind: K }> {
  readonly kind: K
  readonly typeID: number
  readonly fields: F
  /** The upgrade that introduced it, if execution requires it. */
  readonly since?: UpgradeName
  /** The upgrade that ended it. */
  readonly until?: UpgradeName
  /** The upgrade since which it is decided at once, and no longer proposed. */
  readonly proposedUntil?: UpgradeName

  /** Makes checks before those of the upgrade and the form, if AvalancheGo makes them first. */
  checkFirst?(tx: T): void

  /** Throws `Invalid` if the transaction is malformed. It sees only the transaction and the network. */
  check(tx: T, context: CheckContext): void

  /** The complexity that every transaction of the kind has, from Etna on. A kind without it has no complexity, and ends with Etna. */
  readonly intrinsic?: Dimensions

  /** Returns the complexity of the kind's own fields. The frame adds that of the outputs, inputs and memo, which all kinds have. */
  parts?(tx: T): readonly Dimensions[]

  /**
   * Checks the transaction against the state and makes its changes. The frame handles inputs and outputs. A kind without it is only
   * proposed.
   */
  execute?(tx: T, context: TxContext): void

  /** Checks the transaction as a proposal and writes the changes of its two outcomes: `context.diff` is the diff of the commit. */
  propose?(tx: T, context: TxContext, abort: Diff): void

  /** Returns the Warp message of the transaction, which its source's validators must have signed. */
  warpMessage?(tx: T): Uint8Array

  staker?(tx: T): StakerInfo
}

export interface TxType<K extends string, F extends Fields> extends TxDefinition<K, F> {
  readonly codec: Variant<K, ValueOf<F>, JsonOfMembers<F>> & { readonly fields: F }
}

export function defineTx<const K extends string, F extends Fields>(definition: TxDefinition<K, F>): TxType<K, F> {
  return { ...definition, codec: variant(definition.kind, definition.typeID, definition.fields) }
}
