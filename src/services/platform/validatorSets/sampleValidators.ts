import { randomFillSync } from "node:crypto"
import { isWork } from "../../../core/lib/work.js"
import { idText, type NodeID, PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import { listText } from "../../../jsonrpc/printedJson.js"
import { list, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { u16 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { prePrinted } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { id, nodeID } from "../../kinds.js"
import { platformError } from "../errors.js"
import { spellingOf } from "../spelling.js"
import { weightsOf } from "./weights.js"

export const sampleValidators = method({
  name: "platform.sampleValidators",
  summary:
    "Returns a random sample of validators. Units of weight are drawn without replacement, so that a validator with much weight can appear several times.",
  params: object({ size: withDefault(u16, 0), subnetID: withDefault(id, PRIMARY_NETWORK_ID) }),
  result: object({ validators: prePrinted(list(nodeID)) }),
  cost: 2,
  examples: [
    {
      params: { size: 2, subnetID: "2fTMf76veWTt8ZttMsPYqirhd44uShAXAGScbZxDG3MNSFvxka" },
      result: { validators: ["NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5", "NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5"] },
    },
  ],

  *handler({ size, subnetID }, context) {
    if (size === 0) return { validators: [] }
    const summed = weightsOf(context, subnetID)
    const weights = isWork(summed) ? yield* summed : summed
    if (weights.total === 0n) throw platformError("platform.no_validators", { subnetID: idText(subnetID) })
    if (weights.total < BigInt(size)) {
      throw platformError("platform.insufficient_weight", { subnetID: idText(subnetID), size, weight: weights.total })
    }
    const drawn = new Uint32Array(size)
    let count = 0
    for (const unit of draw(weights.total, size)) {
      drawn[count++] = memberAt(weights.sums, unit)
      if (count % DRAWN_AT_ONCE === 0) yield
    }
    // Members are in the order of their node IDs, and so is the answer.
    const nodeIDs = Array.from(drawn.sort(), (member) => weights.nodeIDs[member] as NodeID)
    return { validators: yield* listText(nodeID, nodeIDs, { as: spellingOf(context), atOnce: DRAWN_AT_ONCE }) }
  },
})

/** Number of units that are drawn, or of node IDs that are printed, in one step, which takes some milliseconds. */
const DRAWN_AT_ONCE = 4096

/** So many different numbers below a total of up to 64 bits. */
export function draw(total: bigint, size: number): Iterable<bigint> {
  const below = drawer(size)
  // Few of many: what was drawn before seldom comes again. Many of few: shuffle all.
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

/** Makes numbers below a limit of up to 64 bits, all as likely. Random bits are fetched many at a time: each fetch costs more than a draw. */
function drawer(size: number): (limit: bigint) => bigint {
  const bits = new BigUint64Array(Math.min(size, 4096))
  let used = bits.length
  let [last, end] = [0n, 0n]
  return (limit) => {
    // Numbers beyond the last whole multiple of the limit would make small results more likely.
    if (limit !== last) end = 2n ** 64n - (2n ** 64n % limit)
    last = limit
    for (;;) {
      if (used === bits.length) {
        randomFillSync(bits)
        used = 0
      }
      const random = bits[used++] as bigint
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
