import { idText } from "../../core/types/id.js"
import { described } from "../../jsonrpc/schema/kinds.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { id } from "../../services/kinds.js"
import { producerError } from "../errors.js"
import { devMethod } from "./context.js"

export const dropTx = devMethod({
  name: "dev.dropTx",
  summary: "Drops a transaction from the mempool.",
  params: object({ txID: described(id, "The ID of the transaction.") }),
  result: nothing,
  examples: [{ params: { txID: "wCnPS3iQ9ULdANvx3yXaeGSFh6SNPWk6oQ1uhMkSLA1EQLEzw" }, result: {} }],

  async handler({ txID }, { chain }) {
    await chain.turn((turn) => {
      if (!turn.status.pool.has(txID)) throw producerError("producer.not_waiting", { txID: idText(txID) })
      turn.drop({ id: txID }, producerError("producer.dropped"))
    })
    return {}
  },
})
