import { currentACPs } from "../../core/networks/acps.js"
import { currentSet } from "../../core/rules/validatorSet.js"
import type { View } from "../../core/state/view.js"
import { PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import { answer } from "../../jsonrpc/result.js"
import { nothing } from "../../jsonrpc/schema/kinds.js"
import { method } from "../context.js"

const preferences = answer.object({
  supportWeight: answer.digits,
  supporters: answer.list(answer.nodeID),
  objectWeight: answer.digits,
  objectors: answer.list(answer.nodeID),
  abstainWeight: answer.digits,
})

export const acps = method({
  name: "info.acps",
  summary:
    "How much stake is for and against each proposal (ACP) that validators are asked about, by what connected peers announce.",
  params: nothing,
  result: answer.object({ acps: answer.map(preferences, "ACP number") }),
  examples: [
    {
      title: "a node without peers: nobody is for or against anything",
      params: {},
      result: { acps: Object.fromEntries(currentACPs.map((acp) => [acp, withoutVotes(10_000_000_000_000_000n)])) },
    },
  ],

  // A node without peers hears of no preference, and does not count its own.
  handler: (_params, context) =>
    context.cached("info.acps", () => {
      const total = totalWeight(context.view)
      return { acps: Object.fromEntries(currentACPs.map((acp) => [acp, withoutVotes(total)])) }
    }),
})

function withoutVotes(total: bigint) {
  return { supportWeight: "0", supporters: [], objectWeight: "0", objectors: [], abstainWeight: total.toString() }
}

function totalWeight(view: View): bigint {
  let total = 0n
  for (const { weight } of currentSet(view, PRIMARY_NETWORK_ID).values()) total += weight
  return total
}
