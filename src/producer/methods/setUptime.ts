import { validatorOf } from "../../core/state/stakers.js"
import { type NodeID, nodeIDText, PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import { described, optional } from "../../jsonrpc/schema/kinds.js"
import { number } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { nodeID } from "../../services/kinds.js"
import { producerError } from "../errors.js"
import type { ChainTurn } from "../turn/chainTurn.js"
import { devMethod } from "./context.js"
import { devError } from "./errors.js"

export const setUptime = devMethod({
  name: "dev.setUptime",
  summary:
    "Sets the uptime of a validator, which decides about its rewards: below 90 % they are refused, and below 80 % for a stake that began before Helicon. The value holds until it is set again.",
  params: object({
    nodeID: described(nodeID, "The node ID of the validator."),
    percent: described(optional(number), "The uptime from 0 to 100 percent. With null the default of 100 applies again."),
  }),
  result: nothing,
  examples: [{ params: { nodeID: "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg", percent: 75 }, result: {} }],

  async handler({ nodeID, percent }, { chain }) {
    if (percent !== undefined && !(percent >= 0 && percent <= 100)) throw devError("dev.bad_percent", { percent })
    await chain.turn((turn) => overrideUptime(turn, nodeID, percent))
    return {}
  },
})

/** Sets the uptime of a validator in percent, 0 to 100; `undefined` restores the default. Throws `producer.unknown_validator`. */
export function overrideUptime(chain: ChainTurn, nodeID: NodeID, percent: number | undefined): void {
  const { view, overrides } = chain.status
  const isKnown = validatorOf(view, { subnetID: PRIMARY_NETWORK_ID, nodeID }) || overrides.uptimes.has(nodeID)
  if (!isKnown) throw producerError("producer.unknown_validator", { nodeID: nodeIDText(nodeID) })
  const millionths = percent === undefined ? undefined : Math.round(percent * 1_000_000)
  chain.applyOverrides([{ kind: "uptime", nodeID, millionths }])
}
