import { idText } from "../../core/types/id.js"
import { answer } from "../../jsonrpc/result.js"
import { nothing } from "../../jsonrpc/schema/kinds.js"
import { method } from "./context.js"

export const mempool = method({
  name: "dev.mempool",
  summary: "The transactions that wait for a block, those that pay most for their gas first.",
  params: nothing,
  result: answer.object({
    txs: answer.list(
      answer.object({
        txID: answer.id,
        kind: answer.string,
        gas: answer.digits,
        burned: answer.described(answer.digits, "nAVAX"),
        size: answer.described(answer.number, "bytes"),
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

  handler(_params, { dev }) {
    const txs = dev.mempool().map(({ tx, gas, burned }) => ({
      txID: idText(tx.id),
      kind: tx.unsignedTx.kind,
      gas: gas.toString(),
      burned: burned.toString(),
      size: tx.bytes.length,
    }))
    return { txs }
  },
})
