import { currentACPs } from "../../core/networks/acps.js"
import { currentSet } from "../../core/rules/validatorSet.js"
import type { View } from "../../core/state/view.js"
import { PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import { list } from "../../jsonrpc/schema/kinds.js"
import { u32Text, u64 } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { map } from "../../jsonrpc/schema/outputs.js"
import { method } from "../context.js"
import { nodeID } from "../kinds.js"

const preferences = object({
  supportWeight: u64,
  supporters: list(nodeID),
  objectWeight: u64,
  objectors: list(nodeID),
  abstainWeight: u64,
})

export const acps = method({
  name: "info.acps",
  summary:
    "How much stake is for and against each proposal (ACP) that validators are asked about, by what connected peers announce.",
  params: nothing,
  result: object({ acps: map(u32Text, preferences, "ACP number") }),
  examples: [
    {
      title: "a node without peers: nobody is for or against anything",
      params: {},
      result: {
        acps: Object.fromEntries(currentACPs.map((acp) => [acp, preferences.toJson(withoutVotes(10_000_000_000_000_000n), {})])),
      },
    },
  ],

  // A node without peers hears of no preference, and does not count its own.
  handler: (_params, context) =>
    context.cached("info.acps", () => {
      const total = totalWeight(context.view)
      return { acps: new Map(currentACPs.map((acp) => [acp, withoutVotes(total)])) }
    }),
})

function withoutVotes(total: bigint) {
  return { supportWeight: 0n, supporters: [], objectWeight: 0n, objectors: [], abstainWeight: total }
}

function totalWeight(view: View): bigint {
  let total = 0n
  for (const { weight } of currentSet(view, PRIMARY_NETWORK_ID).values()) total += weight
  return total
}
