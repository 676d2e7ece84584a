import { answer } from "../../jsonrpc/result.js"
import { nothing } from "../../jsonrpc/schema/kinds.js"
import { method } from "../context.js"

export const getTxFee = method({
  name: "avm.getTxFee",
  summary: "The fees of X-Chain transactions, in nAVAX.",
  params: nothing,
  result: answer.object({ txFee: answer.digits, createAssetTxFee: answer.digits }),
  examples: [{ params: {}, result: { txFee: "1000000", createAssetTxFee: "1000000" } }],

  handler: (_params, { rules: { params } }) => ({
    txFee: params.txFee.toString(),
    createAssetTxFee: params.createAssetTxFee.toString(),
  }),
})
