import { printerOf } from "../../../core/codec/print.js"
import { flatText } from "../../../core/lib/flatText.js"
import { MAX64 } from "../../../core/lib/math64.js"
import { doNow, isWork, type MaybeWork, type Work } from "../../../core/lib/work.js"
import { type ID, idText, type NodeID, PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import { JsonText } from "../../../jsonrpc/printedJson.js"
import { described, list, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { u16 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { prePrinted } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { id, nodeID } from "../../kinds.js"
import { platformError } from "../errors.js"
import { FEW, unitDraw } from "./unitDraw.js"
import { type Weights, weightsOf } from "./weights.js"

export const sampleValidators = method({
  name: "platform.sampleValidators",
  summary:
    "Returns a random sample of validators. Units of weight are drawn without replacement, so that a validator with much weight can appear several times.",
  params: object({
    size: described(withDefault(u16, 0), "The number of units of weight to draw."),
    subnetID: described(withDefault(id, PRIMARY_NETWORK_ID), "The ID of the subnet; the primary network by default."),
  }),
  result: object({ validators: prePrinted(list(nodeID)) }),
  cost: 2,
  examples: [
    {
      params: { size: 2, subnetID: "2fTMf76veWTt8ZttMsPYqirhd44uShAXAGScbZxDG3MNSFvxka" },
      result: { validators: ["NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5", "NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5"] },
    },
  ],

  handler({ size, subnetID }, context) {
    if (size === 0) return { validators: [] }
    const weights = weightsOf(context, subnetID)
    return isWork(weights) ? sampleLater(weights, size, subnetID) : sampleOf(weights, size, subnetID)
  },
})

type Sample = { readonly validators: JsonText }

function* sampleLater(summing: Work<Weights>, size: number, subnetID: ID): Work<Sample> {
  const sample = sampleOf(yield* summing, size, subnetID)
  return isWork(sample) ? yield* sample : sample
}

/** Draws a sample: at once if it is small, otherwise in steps. */
function sampleOf(weights: Weights, size: number, subnetID: ID): MaybeWork<Sample> {
  const { total } = weights.sums
  if (total === 0n) throw platformError("platform.no_validators", { subnetID: idText(subnetID) })
  if (total < BigInt(size)) {
    throw platformError("platform.insufficient_weight", { subnetID: idText(subnetID), size, weight: total })
  }
  if (total > MAX64) {
    const reference = `sampling ${idText(subnetID)} errored with overflow`
    throw platformError("platform.weight_overflow", { subnetID: idText(subnetID), weight: total, reference })
  }
  if (size <= FEW && weights.units.areMany(size)) return smallSample(weights, size)
  const sample = sampleInSteps(weights, size)
  return size > DRAWN_AT_ONCE ? sample : doNow(sample)
}

function smallSample(weights: Weights, size: number): Sample {
  const { sums, fewUnits } = weights
  fewUnits.draw(size)
  const { highs, lows } = fewUnits
  let text = ""
  for (let i = 0; i < size; i++) {
    if (i > 0) text += ","
    text += memberText(weights, sums.memberAt(highs[i] as number, lows[i] as number))
  }
  return { validators: new JsonText(`[${text}]`) }
}

/** Number of units that are drawn, or of node IDs that are printed, in one step, which takes some milliseconds. */
const DRAWN_AT_ONCE = 1024

function* sampleInSteps(weights: Weights, size: number): Work<Sample> {
  const { sums } = weights
  const units = unitDraw(weights.units, size)
  const drawn = new Uint32Array(size)
  for (let i = 0; i < size; i++) {
    units.next()
    drawn[i] = sums.memberAt(units.high, units.low)
    if (i % DRAWN_AT_ONCE === DRAWN_AT_ONCE - 1) yield
  }
  // Members are in the order of their node IDs, and so is the answer.
  drawn.sort()
  let text = ""
  for (let i = 0; i < size; i++) {
    text += `${i === 0 ? "" : ","}${memberText(weights, drawn[i] as number)}`
    if (i % DRAWN_AT_ONCE === DRAWN_AT_ONCE - 1) yield
  }
  return { validators: new JsonText(`[${text}]`) }
}

/** Returns the JSON text of a member's node ID. It is made once for each state, because Base58 takes longer than the rest of the call. */
function memberText({ nodeIDs, texts }: Weights, member: number): string {
  texts[member] ??= flatText(printNodeID(nodeIDs[member] as NodeID, {}))
  return texts[member]
}

const printNodeID = printerOf(nodeID)
