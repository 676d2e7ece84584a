import { described, list, string } from "../../jsonrpc/schema/kinds.js"
import { number, u64 } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { id } from "../../services/kinds.js"
import { devMethod } from "./context.js"

export const mempool = devMethod({
  name: "dev.mempool",
  summary: "Returns the transactions of the mempool, sorted by the price that they pay for gas, highest first.",
  params: nothing,
  result: object({
    txs: list(
      object({
        txID: id,
        kind: string,
        gas: u64,
        burned: described(u64, "The amount that the transaction burns, in nAVAX."),
        size: described(number, "The size of the transaction in bytes."),
      }),
    ),
  }),
  examples: [
    {
      params: {},
      result: {
        txs: [
          { txID: "wCnPS3iQ9ULdANvx3yXaeGSFh6SNPWk6oQ1uhMkSLA1EQLEzw", kind: "BaseTx", gas: "4099", burned: "4099", size: 299 },
        ],
      },
    },
  ],

  handler(_params, { chain: { status } }) {
    const txs = [...status.pool].map((tx) => ({
      txID: tx.id,
      kind: tx.unsignedTx.kind,
      ...status.meter(tx),
      size: tx.bytes.length,
    }))
    return { txs }
  },
})
