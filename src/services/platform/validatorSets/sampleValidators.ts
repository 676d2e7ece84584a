import { MAX64 } from "../../../core/lib/math64.js"
import type { Pace } from "../../../core/lib/pace.js"
import { type ID, idText, type NodeID, PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import { described, list, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { u16 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"
import { id, nodeID } from "../../kinds.js"
import { platformError } from "../errors.js"
import { drawUnits, memberAt } from "./weightedSample.js"
import { type Weights, weightsOf } from "./weights.js"

export const sampleValidators = method({
  name: "platform.sampleValidators",
  summary:
    "Returns a random sample of validators. Units of weight are drawn without replacement, so that a validator with much weight can appear several times.",
  params: object({
    size: described(withDefault(u16, 0), "The number of units of weight to draw."),
    subnetID: described(withDefault(id, PRIMARY_NETWORK_ID), "The ID of the subnet; the primary network by default."),
  }),
  result: object({ validators: list(nodeID) }),
  cost: 2,
  examples: [
    {
      params: { size: 2, subnetID: "2fTMf76veWTt8ZttMsPYqirhd44uShAXAGScbZxDG3MNSFvxka" },
      result: { validators: ["NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5", "NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5"] },
    },
  ],

  async handler({ size, subnetID }, context, { pace }) {
    if (size === 0) return { validators: [] }
    const weights = await weightsOf(context, subnetID, pace)
    checkWeight(weights.total, size, subnetID)
    return { validators: await sampleOf(weights, size, pace) }
  },
})

function checkWeight(weight: bigint, size: number, subnet: ID): void {
  if (weight >= BigInt(size) && weight <= MAX64) return
  const subnetID = idText(subnet)
  if (weight === 0n) throw platformError("platform.no_validators", { subnetID })
  if (weight < BigInt(size)) throw platformError("platform.insufficient_weight", { subnetID, size, weight })
  throw platformError("platform.weight_overflow", { subnetID, weight, reference: `sampling ${subnetID} errored with overflow` })
}

/** Draws a sample. Members are in the order of their node IDs, and so is the sample. */
async function sampleOf({ nodeIDs, sums, total }: Weights, size: number, pace: Pace): Promise<readonly NodeID[]> {
  const sample: NodeID[] = []
  for (const unit of await drawUnits(total, size, pace)) sample.push(nodeIDs[memberAt(sums, unit)] as NodeID)
  return sample
}
