import { MAX64 } from "../../../core/lib/math64.js"
import type { Pace } from "../../../core/lib/pace.js"
import { type ID, idText, type NodeID, PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import { described, list, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { u16 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { type Context, method } from "../../context.js"
import { id, nodeID } from "../../kinds.js"
import { platformError } from "../errors.js"
import { drawUnits, memberAt, systemRandom } from "./weightedSample.js"
import { knownWeights, type Weights, weightsOf } from "./weights.js"

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

  handler({ size, subnetID }, context, { pace }) {
    if (size === 0) return { validators: [] }
    const known = knownWeights(context, subnetID)
    return known && size <= DRAWN_AT_ONCE ? sampleOf(known, size, subnetID) : longSampleOf(size, subnetID, context, pace)
  },
})

/** Number of units that are drawn without a pause. */
const DRAWN_AT_ONCE = 1024

const random = systemRandom(DRAWN_AT_ONCE)

interface Sample {
  readonly validators: readonly NodeID[]
}

function sampleOf(weights: Weights, size: number, subnetID: ID): Sample {
  checkWeight(weights.total, size, subnetID)
  const drawn = new Set<bigint>()
  drawUnits(drawn, weights.total - BigInt(size), weights.total, random)
  return membersAt(drawn, weights)
}

async function longSampleOf(size: number, subnetID: ID, context: Context, pace: Pace): Promise<Sample> {
  const weights = await weightsOf(context, subnetID, pace)
  const { total } = weights
  checkWeight(total, size, subnetID)
  const drawn = new Set<bigint>()
  for (let left = size; left > 0; left -= DRAWN_AT_ONCE) {
    drawUnits(drawn, total - BigInt(left), total - BigInt(Math.max(0, left - DRAWN_AT_ONCE)), random)
    if (pace.isDue) await pace.pause()
  }
  return membersAt(drawn, weights)
}

/** Returns the members to which units of weight belong. Members are in the order of their node IDs, and so are those returned. */
function membersAt(units: Set<bigint>, { nodeIDs, sums }: Weights): Sample {
  const ascending = [...units].sort((a, b) => (a < b ? -1 : 1))
  return { validators: ascending.map((unit) => nodeIDs[memberAt(sums, unit)] as NodeID) }
}

function checkWeight(weight: bigint, size: number, subnet: ID): void {
  if (weight >= BigInt(size) && weight <= MAX64) return
  const subnetID = idText(subnet)
  if (weight === 0n) throw platformError("platform.no_validators", { subnetID })
  if (weight < BigInt(size)) throw platformError("platform.insufficient_weight", { subnetID, size, weight })
  throw platformError("platform.weight_overflow", { subnetID, weight, reference: `sampling ${subnetID} errored with overflow` })
}
