import { goQuote } from "../../../core/lib/go/goQuote.js"
import { chainIDsOf } from "../../../core/readmodel/chains.js"
import { idText, PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import { described, list, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"
import { id } from "../../kinds.js"
import { ofState } from "../../lifetimes.js"
import { platformError } from "../errors.js"
import { subnetOf } from "../subnets/subnets.js"

export const validates = method({
  name: "platform.validates",
  summary:
    "Returns the IDs of the blockchains that a subnet validates, in the order of their creation. The P-Chain is not in the list of the primary network.",
  params: object({
    subnetID: described(withDefault(id, PRIMARY_NETWORK_ID), "The ID of the subnet; the primary network by default."),
  }),
  result: object({ blockchainIDs: list(id) }),
  lifetime: ofState,
  examples: [
    {
      params: { subnetID: "2fTMf76veWTt8ZttMsPYqirhd44uShAXAGScbZxDG3MNSFvxka" },
      result: { blockchainIDs: ["d3hhT7wgDEWVKCfV3GHMFcWAnhGAxVPp6Bt5ecsfk75iA1y5R"] },
    },
  ],

  async handler({ subnetID }, context, { pace }) {
    if (subnetID !== PRIMARY_NETWORK_ID && !(await subnetOf(context, subnetID, pace))) {
      const text = idText(subnetID)
      const reference = `problem retrieving subnet ${goQuote(text)}: not found`
      throw platformError("platform.unknown_subnet", { subnetID: text, reference })
    }
    return { blockchainIDs: [...chainIDsOf(context.view, subnetID)] }
  },
})
