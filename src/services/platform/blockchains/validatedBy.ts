import { tables } from "../../../core/state/tables.js"
import { idText, P_CHAIN_ID, PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import { answer } from "../../../jsonrpc/result.js"
import { object, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { method } from "../../context.js"
import { id } from "../../params.js"
import { platformError } from "../errors.js"

export const validatedBy = method({
  name: "platform.validatedBy",
  summary: "The subnet that validates a blockchain.",
  params: object({ blockchainID: withDefault(id, P_CHAIN_ID) }),
  result: answer.object({ subnetID: answer.id }),
  examples: [
    {
      params: { blockchainID: "d3hhT7wgDEWVKCfV3GHMFcWAnhGAxVPp6Bt5ecsfk75iA1y5R" },
      result: { subnetID: "2fTMf76veWTt8ZttMsPYqirhd44uShAXAGScbZxDG3MNSFvxka" },
    },
  ],

  handler({ blockchainID }, { view }) {
    if (blockchainID === P_CHAIN_ID) return { subnetID: idText(PRIMARY_NETWORK_ID) }
    const chain = view.get(tables.chains, blockchainID)
    if (chain) return { subnetID: idText(chain.subnetID) }
    const isTx = view.get(tables.txs, blockchainID) !== undefined
    const data = { blockchainID: idText(blockchainID) }
    throw platformError(isTx ? "platform.not_a_blockchain" : "platform.unknown_blockchain", data)
  },
})
