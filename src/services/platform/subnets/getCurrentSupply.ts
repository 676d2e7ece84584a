import { tables } from "../../../core/state/tables.js"
import { idText, PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import { described, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"
import { id } from "../../kinds.js"
import { ofState } from "../../lifetimes.js"
import { platformError } from "../errors.js"

export const getCurrentSupply = method({
  name: "platform.getCurrentSupply",
  summary:
    "Returns the upper bound of the current supply of a subnet's staking asset, in its smallest unit. It includes the rewards that are promised to current stakers.",
  params: object({
    subnetID: described(withDefault(id, PRIMARY_NETWORK_ID), "The ID of the subnet; the primary network by default."),
  }),
  result: object({ supply: described(u64, "In nAVAX for the primary network."), height: u64 }),
  lifetime: ofState,
  examples: [{ params: {}, result: { supply: "361196334134695533", height: "13" } }],

  handler({ subnetID }, { view, height }) {
    const supply = view.get(tables.supplies, subnetID)
    if (supply === undefined) throw platformError("platform.no_supply", { subnetID: idText(subnetID) })
    return { supply, height }
  },
})
