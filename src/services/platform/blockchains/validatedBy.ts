import { tables } from "../../../core/state/tables.js"
import { idText, P_CHAIN_ID, PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import { described, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"
import { id } from "../../kinds.js"
import { ofState } from "../../lifetimes.js"
import { platformError } from "../errors.js"

export const validatedBy = method({
  name: "platform.validatedBy",
  summary: "Returns the ID of the subnet that validates a blockchain.",
  params: object({ blockchainID: described(withDefault(id, P_CHAIN_ID), "The ID of the blockchain; the P-Chain by default.") }),
  result: object({ subnetID: id }),
  lifetime: ofState,
  examples: [
    {
      params: { blockchainID: "d3hhT7wgDEWVKCfV3GHMFcWAnhGAxVPp6Bt5ecsfk75iA1y5R" },
      result: { subnetID: "2fTMf76veWTt8ZttMsPYqirhd44uShAXAGScbZxDG3MNSFvxka" },
    },
  ],

  async handler({ blockchainID }, { view, past }, { pace }) {
    if (blockchainID === P_CHAIN_ID) return { subnetID: PRIMARY_NETWORK_ID }
    const chain = view.get(tables.chains, blockchainID)
    if (chain) return { subnetID: chain.subnetID }
    const isTx = await past(pace).read((all) => all.get(tables.txs, blockchainID) !== undefined)
    const data = { blockchainID: idText(blockchainID) }
    throw platformError(isTx ? "platform.not_a_blockchain" : "platform.unknown_blockchain", data)
  },
})
