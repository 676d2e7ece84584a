import { tables } from "../../../core/state/tables.js"
import { idText, PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import { answer } from "../../../jsonrpc/result.js"
import { object, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { method } from "../../context.js"
import { id } from "../../params.js"
import { platformError } from "../errors.js"

export const getCurrentSupply = method({
  name: "platform.getCurrentSupply",
  summary: "The most of a subnet's staking asset that can exist now, in its smallest unit: promised rewards are counted.",
  params: object({ subnetID: withDefault(id, PRIMARY_NETWORK_ID) }),
  result: answer.object({ supply: answer.digits, height: answer.digits }),
  examples: [{ params: {}, result: { supply: "361196334134695533", height: "13" } }],

  handler({ subnetID }, { view, height }) {
    const supply = view.get(tables.supplies, subnetID)
    if (supply === undefined) throw platformError("platform.no_supply", { subnetID: idText(subnetID) })
    return { supply: supply.toString(), height: height.toString() }
  },
})
