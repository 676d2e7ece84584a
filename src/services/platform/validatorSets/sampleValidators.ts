import { printerOf } from "../../../core/codec/print.js"
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
import type { RandomBits } from "./randomBits.js"
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
  const { total } = weights
  if (total === 0n) throw platformError("platform.no_validators", { subnetID: idText(subnetID) })
  if (total < BigInt(size)) {
    throw platformError("platform.insufficient_weight", { subnetID: idText(subnetID), size, weight: total })
  }
  const sample = sampleInSteps(weights, size)
  return size > DRAWN_AT_ONCE ? sample : doNow(sample)
}

/** Number of units that are drawn, or of node IDs that are printed, in one step, which takes some milliseconds. */
const DRAWN_AT_ONCE = 1024

function* sampleInSteps(weights: Weights, size: number): Work<Sample> {
  const drawn = new Uint32Array(size)
  let count = 0
  for (const unit of draw(weights.total, size, weights.bits)) {
    drawn[count++] = memberAt(weights.sums, unit)
    if (count % DRAWN_AT_ONCE === 0) yield
  }
  // Members are in the order of their node IDs, and so is the answer.
  drawn.sort()
  let text = ""
  for (const member of drawn) {
    text += text === "" ? memberText(weights, member) : `,${memberText(weights, member)}`
    if (--count % DRAWN_AT_ONCE === 0) yield
  }
  return { validators: new JsonText(`[${text}]`) }
}

/** Returns the JSON text of a member's node ID. It is made once for each state, because Base58 takes longer than the rest of the call. */
function memberText({ nodeIDs, texts }: Weights, member: number): string {
  const text = texts[member] ?? printNodeID(nodeIDs[member] as NodeID, {})
  texts[member] = text
  return text
}

const printNodeID = printerOf(nodeID)

/** Draws different numbers below a total of up to 64 bits. */
export function draw(total: bigint, size: number, bits: RandomBits): Iterable<bigint> {
  const below = drawer(bits)
  // For few of many numbers, a repeated draw is rare and is drawn again. For many of few, all are shuffled.
  if (total > BigInt(size) * 2n) return sparse(total, size, below)
  return shuffled(Number(total), size, below)
}

function* shuffled(total: number, size: number, below: (limit: bigint) => bigint): Iterable<bigint> {
  const all = Uint32Array.from({ length: total }, (_, i) => i)
  for (let i = 0; i < size; i++) {
    const other = i + Number(below(BigInt(total - i)))
    const taken = all[other] as number
    all[other] = all[i] as number
    yield BigInt(taken)
  }
}

function* sparse(total: bigint, size: number, below: (limit: bigint) => bigint): Iterable<bigint> {
  const drawn = new Set<bigint>()
  while (drawn.size < size) {
    const unit = below(total)
    if (drawn.has(unit)) continue
    drawn.add(unit)
    yield unit
  }
}

/** Returns a function that draws uniform numbers below a limit of up to 64 bits. */
function drawer(bits: RandomBits): (limit: bigint) => bigint {
  let [last, end] = [0n, 0n]
  return (limit) => {
    // Numbers above the last whole multiple of the limit would make small results more likely.
    if (limit !== last) end = 2n ** 64n - (2n ** 64n % limit)
    last = limit
    for (;;) {
      const random = bits.next()
      if (random < end) return random % limit
    }
  }
}

/** Returns the member that a unit of weight belongs to. */
function memberAt(sums: readonly bigint[], unit: bigint): number {
  let low = 0
  let high = sums.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sums[middle] as bigint) > unit) high = middle
    else low = middle + 1
  }
  return low
}
