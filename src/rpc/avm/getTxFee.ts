import { answer } from "../answer.js"
import { method } from "../method.js"
import { nothing } from "../schema/kinds.js"

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
