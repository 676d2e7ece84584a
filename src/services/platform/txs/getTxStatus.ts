import { TxStatus, tables } from "../../../core/state/tables.js"
import { EMPTY_ID } from "../../../core/types/id.js"
import { described, oneOf, optional, string, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { object } from "../../../jsonrpc/schema/object.js"
import type { Dialect } from "../../../jsonrpc/schema/param.js"
import { method } from "../../context.js"
import { id } from "../../kinds.js"
import { ofStateIf } from "../../lifetimes.js"

const ABORTED = "the transaction was proposed and the network decided against it: its proposal was aborted"

export const getTxStatus = method({
  name: "platform.getTxStatus",
  summary: "Returns the status of a transaction, and the reason if it was dropped.",
  params: object({ txID: described(withDefault(id, EMPTY_ID), "The ID of the transaction.") }),
  result: object({
    status: oneOf("Committed", "Aborted", "Processing", "Dropped", "Unknown"),
    reason: optional(string),
  }),
  // All other statuses come from the mempool, which changes at any time.
  lifetime: ofStateIf<{ readonly status: string; readonly reason?: string | undefined }>(
    ({ status, reason }) => status === "Committed" || status === "Aborted" || reason === ABORTED,
  ),
  examples: [
    { params: { txID: "2fTMf76veWTt8ZttMsPYqirhd44uShAXAGScbZxDG3MNSFvxka" }, result: { status: "Committed" } },
    {
      title: "a reward that was refused",
      params: { txID: "2ruVLd1MD1wZwsJhQAoBGFBS7QMKJXZH1AEg2iZtN2rLQ4574t" },
      result: {
        status: "Dropped",
        reason: "the transaction was proposed and the network decided against it: its proposal was aborted",
      },
    },
  ],

  async handler({ txID }, { past, node, dialect }, { pace }) {
    const row = await past(pace).read((view) => view.get(tables.txs, txID))
    if (row) return row.status === TxStatus.aborted ? abortedStatus(dialect) : { status: "Committed" as const }
    return node.txStatus(txID) ?? { status: "Unknown" as const }
  },
})

/** Status text of a transaction whose proposal was aborted. The contract does not define one. */
export function abortedStatus(dialect: Dialect) {
  return dialect === "contract" ? { status: "Dropped" as const, reason: ABORTED } : { status: "Aborted" as const }
}
