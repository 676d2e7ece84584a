import { described } from "../../jsonrpc/schema/kinds.js"
import { u64 } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"

export const getTxFee = method({
  name: "avm.getTxFee",
  summary: "Returns the fees of X-Chain transactions in nAVAX.",
  params: nothing,
  result: object({ txFee: described(u64, "In nAVAX."), createAssetTxFee: described(u64, "In nAVAX.") }),
  examples: [{ params: {}, result: { txFee: "1000000", createAssetTxFee: "1000000" } }],

  handler: (_params, { rules: { params } }) => params,
})
