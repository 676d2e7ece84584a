import type { ID } from "../../core/types/id.js"
import { described, oneOf, optional, string, withDefault } from "../../jsonrpc/schema/kinds.js"
import { number, u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { id } from "../../services/kinds.js"
import { abortedStatus } from "../../services/platform/txs/getTxStatus.js"
import type { TxAcceptance } from "../chain/txWaiters.js"
import { type DevContext, devMethod } from "./context.js"
import { devError } from "./errors.js"

const LONGEST = 25

export const waitForTx = devMethod({
  name: "dev.waitForTx",
  summary: "Waits until a transaction is accepted or dropped, and returns its status like `platform.getTxStatus`.",
  params: object({
    txID: described(id, "The ID of the transaction."),
    timeout: described(
      withDefault(number, 10),
      `The number of seconds to wait, at most ${LONGEST}. After that the current status is returned.`,
    ),
  }),
  result: object({
    status: oneOf("Committed", "Aborted", "Processing", "Dropped", "Unknown"),
    reason: optional(string),
    height: optional(described(u64, "The height of the block that contains the transaction.")),
  }),
  examples: [
    { params: { txID: "NcyNGHp5ZYE1Xs384fivq8rWyLDgoc77m5nFW3CoNP8Tcva84" }, result: { status: "Committed", height: "1" } },
  ],

  async handler({ txID, timeout }, context) {
    if (!(timeout >= 0 && timeout <= LONGEST)) throw devError("dev.bad_timeout", { timeout })
    return statusOf(txID, await context.chain.txWaiters.wait(txID, timeout), context)
  },
})

function statusOf(txID: ID, accepted: TxAcceptance | undefined, { node, dialect }: DevContext) {
  if (!accepted) return node.txStatus(txID) ?? { status: "Unknown" as const }
  const status = accepted.isAborted ? abortedStatus(dialect) : { status: "Committed" as const }
  return { ...status, height: accepted.height }
}
