import { hasExplorerRows } from "../../../core/readmodel/explorer/projectExplorer.js"
import { historyGap } from "../../../core/readmodel/historyGap.js"
import type { View } from "../../../core/state/view.js"
import { txTypes } from "../../../core/txs/index.js"
import type { TxKind } from "../../../core/txs/unsignedTx.js"
import { described, list, oneOf, withDefault } from "../../../jsonrpc/schema/kinds.js"
import type { Context } from "../../context.js"
import { platformError } from "../errors.js"

/** The names of the kinds of transactions. */
const txKind = oneOf<TxKind>(...txTypes.map(({ kind }) => kind))

/** The parameter that limits a list to some kinds of transactions. */
export const kindsParam = described(withDefault(list(txKind), []), "Only transactions of these kinds; all kinds by default.")

/**
 * Checks that the rows for explorers include the blocks up to a height, by default all. Throws `platform.no_history` and
 * `platform.history_incomplete`.
 */
export function requireHistory(context: Pick<Context, "view" | "height">, upTo = context.height): void {
  requireNoGap(context, upTo)
  if (!hasHistory(context, upTo)) throw platformError("platform.no_history")
}

/** Returns whether the rows for explorers include the blocks up to a height. Rows without a gap that do not include the last block are not used. */
export function hasHistory({ view, height }: Pick<Context, "view" | "height">, upTo = height): boolean {
  return hasExplorerRows(view, historyGap(view) ? upTo : height)
}

/** Checks that the history has no gap up to a height, by default up to the last block. Throws `platform.history_incomplete`. */
export function requireNoGap({ view, height }: { readonly view: View; readonly height: bigint }, upTo = height): void {
  const gap = historyGap(view)
  if (gap && upTo >= gap.height) throw platformError("platform.history_incomplete", { missingFrom: gap.height })
}
