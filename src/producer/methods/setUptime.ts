import { validatorOf } from "../../core/state/stakers.js"
import { tables } from "../../core/state/tables.js"
import type { IndexedView } from "../../core/state/view.js"
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
    "Sets the uptime of a validator of the primary network, which decides about its rewards: below 90 % they are refused, and below 80 % for a stake that began before Helicon. A validator of an L1 is online, or offline with 0 %: the VM of an L1 that runs here counts its uptime from then on, and signs no more than that. The value holds until it is set again.",
  params: object({
    nodeID: described(nodeID, "The node ID of the validator."),
    percent: described(
      optional(number),
      "The uptime from 0 to 100 percent, of a validator of an L1 0 or 100. With null the default of 100 applies again.",
    ),
  }),
  result: nothing,
  examples: [{ params: { nodeID: "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg", percent: 75 }, result: {} }],

  async handler({ nodeID, percent }, { chain, l1s }) {
    if (percent !== undefined && !(percent >= 0 && percent <= 100)) throw devError("dev.bad_percent", { percent })
    await chain.turn((turn) => overrideUptime(turn, nodeID, percent))
    await l1s?.uptimesWereSet()
    return {}
  },
})

/**
 * Sets the uptime of a validator in percent, 0 to 100; `undefined` restores the default. Throws `producer.unknown_validator`, and
 * `dev.online_or_offline` for a validator of an L1 alone.
 */
export function overrideUptime(chain: ChainTurn, nodeID: NodeID, percent: number | undefined): void {
  const { view, overrides } = chain.status
  const isPrimary = validatorOf(view, { subnetID: PRIMARY_NETWORK_ID, nodeID }) !== undefined
  if (!isPrimary && validatesL1(chain.written(), nodeID)) {
    if (percent !== undefined && percent !== 0 && percent !== 100) throw devError("dev.online_or_offline", { percent })
  } else if (!isPrimary && !overrides.uptimes.has(nodeID)) {
    throw producerError("producer.unknown_validator", { nodeID: nodeIDText(nodeID) })
  }
  const millionths = percent === undefined ? undefined : Math.round(percent * 1_000_000)
  chain.applyOverrides([{ kind: "uptime", nodeID, millionths }])
}

function validatesL1(view: IndexedView, nodeID: NodeID): boolean {
  for (const [key] of view.rows(tables.members)) if (key.nodeID === nodeID && key.subnetID !== PRIMARY_NETWORK_ID) return true
  return false
}
