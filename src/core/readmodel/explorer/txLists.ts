import { txTypeOf } from "../../txs/unsignedTx.js"
import type { BlockProjection } from "../projection.js"
import { ownersOfTx } from "../txsByAddress.js"
import { subjectsOf } from "./subjects.js"
import { explorerTables } from "./tables.js"

export const txLists: BlockProjection = {
  onBlock(context, { height, txs }) {
    const { diff } = context
    for (const placed of txs) {
      const { tx, index } = placed
      const { typeID } = txTypeOf(tx.unsignedTx.kind)
      diff.insert(explorerTables.txsByKind, { typeID, height, index }, tx.id)
      const row = { txID: tx.id, typeID }
      for (const subject of subjectsOf(tx, diff)) {
        diff.insert(explorerTables.txsBySubject, { subject, height, index }, row)
        diff.insert(explorerTables.txsBySubjectKind, { subject, typeID, height, index }, null)
      }
      for (const owner of ownersOfTx(placed, context)) {
        diff.insert(explorerTables.txsByOwnerKind, { owner, typeID, height, index }, null)
      }
    }
  },
}
