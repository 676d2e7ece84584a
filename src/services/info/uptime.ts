import type { Pace } from "../../core/lib/pace.js"
import { observedUptime } from "../../core/rules/observedUptime.js"
import { uptimeRequirementFor } from "../../core/rules/staking.js"
import { tables } from "../../core/state/tables.js"
import { type ID, type NodeID, PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import { described, withDefault } from "../../jsonrpc/schema/kinds.js"
import { object } from "../../jsonrpc/schema/object.js"
import { percent } from "../../jsonrpc/schema/outputs.js"
import type { Context } from "../context.js"
import { method } from "../context.js"
import { id } from "../kinds.js"
import { currentSetOf } from "../platform/validatorSets/weights.js"
import { infoError } from "./errors.js"

/** AvalancheGo has no such parameter and ignores a given value. */
const subnetID: typeof id = {
  ...id,
  fromJson: (json, as, path) => (as.dialect === "avalanchego" ? PRIMARY_NETWORK_ID : id.fromJson(json, as, path)),
}

export const uptime = method({
  name: "info.uptime",
  summary:
    "Returns the uptime of this node as the validators of a subnet observed it, in percent: the average weighted by stake, and the share of the stake that observed enough uptime for a reward.",
  params: object({
    subnetID: described(
      withDefault(subnetID, PRIMARY_NETWORK_ID),
      "The ID of the subnet whose validators are asked. The default is the primary network.",
    ),
  }),
  result: object({ rewardingStakePercentage: percent, weightedAveragePercentage: percent }),
  cost: 2,
  examples: [{ params: {}, result: { rewardingStakePercentage: "100.0000", weightedAveragePercentage: "100.0000" } }],

  async handler({ subnetID }, context, { pace }) {
    if (context.node.hidesIdentity) return othersOf(subnetID, context, pace)
    const own = context.view.get(tables.members, { subnetID, nodeID: context.node.identity.nodeID })?.weight ?? 0n
    if (own === 0n) throw infoError("info.not_a_validator")
    const weights = [...(await currentSetOf(context, subnetID, pace))].map(([nodeID, { weight }]) => [nodeID, weight] as const)
    return observedUptime(context.node.identity.nodeID, weights, reportsOf(context), requirementOf(context))
  },
})

/** Returns this node's uptime as other validators measure it, whole percent; `undefined` for validators that are not connected. */
function reportsOf({ node }: Context): (nodeID: NodeID) => number | undefined {
  const byPeer = node.peers && new Map(node.peers().map(({ nodeID, observedUptime }) => [nodeID, observedUptime]))
  if (byPeer) return (nodeID) => byPeer.get(nodeID)
  // No separate nodes run the validators of a private chain, so they report this node's own uptime.
  const own = Math.floor((node.uptimeOf(node.identity.nodeID)?.uptime ?? 0) * 100)
  return (nodeID) => (node.uptimeOf(nodeID)?.connected ? own : undefined)
}

/** Returns percentages without this server's own stake, because its share would reveal the validator. */
async function othersOf(subnetID: ID, context: Context, pace: Pace) {
  const { connected, total, own } = await weightsOf(subnetID, context, pace)
  const percent = total === own ? 100 : (100 * Number(connected)) / Number(total - own)
  return { rewardingStakePercentage: percent, weightedAveragePercentage: percent }
}

/** Returns the uptime that this node needs for a reward. Since Helicon it depends on the start of its validation of the primary network. */
function requirementOf({ view, rules, node }: Context): number {
  const primary = view.get(tables.currentValidators, { subnetID: PRIMARY_NETWORK_ID, nodeID: node.identity.nodeID })
  return uptimeRequirementFor(view, rules, PRIMARY_NETWORK_ID, primary?.startTime ?? 0n) ?? 0
}

interface Weights {
  /** The weight of the other validators that this node is connected to. */
  readonly connected: bigint
  readonly total: bigint
  /** The weight of this node; zero if it does not validate. */
  readonly own: bigint
}

async function weightsOf(subnetID: ID, context: Context, pace: Pace): Promise<Weights> {
  const { node } = context
  let [connected, total, own] = [0n, 0n, 0n]
  for (const [nodeID, { weight }] of await currentSetOf(context, subnetID, pace)) {
    total += weight
    if (nodeID === node.identity.nodeID) own = weight
    else if (node.uptimeOf(nodeID)?.connected) connected += weight
  }
  return { connected, total, own }
}
