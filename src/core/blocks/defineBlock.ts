import { type Variant, variant } from "../codec/oneOf.js"
import { u64 } from "../codec/primitives.js"
import type { JsonWriter } from "../codec/schema.js"
import type { Fields, JsonOfMembers, ValueOf } from "../codec/struct.js"
import type { UpgradeName } from "../networks/upgrades.js"
import type { BlockContext } from "../rules/context.js"
import type { Diff } from "../state/diff.js"
import type { View } from "../state/view.js"
import type { Tx } from "../txs/tx.js"
import { type ID, id, idText } from "../types/id.js"

/** The changes that a block makes when it is accepted: one diff, or two of which an option chooses one. */
export type BlockOutcome = DecidedOutcome | ProposalOutcome

/** The changes of a block that needs no option. */
export interface DecidedOutcome {
  readonly kind: "decided"
  readonly diff: Diff
  readonly imports: ReadonlySet<ID>
}

export interface ProposalOutcome {
  readonly kind: "proposed"
  /** The changes that both options keep: time, and transactions that need no decision; `undefined` before Banff. */
  readonly decision: Diff | undefined
  readonly commit: Diff
  readonly abort: Diff
  readonly imports: ReadonlySet<ID>
}

/** The block that another one builds on. */
export interface Parent {
  readonly id: ID
  readonly height: bigint
  /** The chain's time after it, Unix seconds; for an Apricot proposal, its parent's. */
  readonly timestamp: bigint
  /** The state after it; `undefined` for a proposal until it is decided. */
  readonly state: View | undefined
  readonly proposal: ProposalOutcome | undefined
}

export const commonFields = { parentID: id, height: u64 }

type CommonValue = { readonly parentID: ID; readonly height: bigint }

/** One kind of block: its fields, the upgrade that ended it, its transactions, and its execution. */
export interface BlockDefinition<K extends string, F extends Fields, B = ValueOf<NoInfer<F>> & CommonValue> {
  readonly kind: K
  readonly typeID: number
  /** The fields in the order of the bytes. */
  readonly fields: F
  readonly until?: UpgradeName

  /** The transactions in the order of their execution; none by default. */
  txs?(block: B): readonly Tx[]

  /** Executes the block on its parent. Throws `Invalid` if it breaks a rule. */
  execute(block: B, parent: Parent, blockContext: BlockContext): BlockOutcome
}

export interface BlockType<K extends string, F extends Fields> extends BlockDefinition<K, F> {
  readonly codec: Variant<K, ValueOf<F>, JsonOfMembers<F & typeof idMember>> & { readonly fields: F }
}

/** The block's own ID, which JSON has after the height. The bytes do not contain it. */
const ownID: JsonWriter<{ readonly id: ID }, string> = {
  jsonSchema: { ...id.jsonSchema, readOnly: true },
  writeJson: (sink, block) => sink.plain(idText(block.id)),
}
const idMember = { id: ownID }

export function defineBlock<const K extends string, F extends Fields>(definition: BlockDefinition<K, F>): BlockType<K, F> {
  const { kind, typeID, fields } = definition
  const order = Object.keys(fields).flatMap((name) => (name === "height" ? [name, "id"] : [name]))
  return { ...definition, codec: variant(kind, typeID, fields, { order, also: idMember }) }
}
