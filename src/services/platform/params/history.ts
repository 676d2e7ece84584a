import { hasExplorerRows } from "../../../core/readmodel/explorer/projectExplorer.js"
import { txTypes } from "../../../core/txs/index.js"
import type { TxKind } from "../../../core/txs/unsignedTx.js"
import { described, list, oneOf, withDefault } from "../../../jsonrpc/schema/kinds.js"
import type { Context } from "../../context.js"
import { platformError } from "../errors.js"

/** The names of the kinds of transactions. */
const txKind = oneOf<TxKind>(...txTypes.map(({ kind }) => kind))

/** The parameter that limits a list to some kinds of transactions. */
export const kindsParam = described(withDefault(list(txKind), []), "Only transactions of these kinds; all kinds by default.")

/** Checks that the node keeps the rows for explorers. Throws `platform.no_history`. */
export function requireHistory({ view }: Pick<Context, "view">): void {
  if (!hasExplorerRows(view)) throw platformError("platform.no_history")
}
