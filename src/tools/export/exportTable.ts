import { blockAt } from "../../core/blocks/acceptedBlocks.js"
import type { Block } from "../../core/blocks/block.js"
import type { Json } from "../../core/lib/json.js"
import type { ReadModelGenesis } from "../../core/readmodel/acceptedBlock.js"
import type { Rules } from "../../core/rules/context.js"
import type { IndexedView, View } from "../../core/state/view.js"
import type { Address } from "../../core/types/address.js"

/** One exported row: values by the names of the columns. */
export type ExportRow = Readonly<Record<string, Json>>

/** The part of a chain that is exported: its heights, and for rewards and stakes the addresses, by default all. */
export interface ExportPart {
  readonly from: bigint
  readonly to: bigint
  readonly addresses?: ReadonlySet<Address> | undefined
  readonly rules: Rules
  readonly genesis: ReadModelGenesis
}

/** A kind of rows: its columns, and a function that reads its rows. Time grows with the number of rows, memory does not. */
export interface ExportTable {
  readonly columns: readonly string[]
  rows(view: IndexedView, part: ExportPart): Iterable<ExportRow> | AsyncIterable<ExportRow>
}

export function requireBlockAt(view: View, height: bigint): Block {
  const block = blockAt(view, height)
  if (!block) throw new Error(`block ${height} is missing`)
  return block
}
