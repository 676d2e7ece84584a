import { randomBytes } from "node:crypto"
import { idText, type NodeID, PRIMARY_NETWORK_ID } from "../../types/id.js"
import { answer } from "../answer.js"
import { method } from "../method.js"
import { id, object, u16, withDefault } from "../schema.js"
import { platformError } from "./errors.js"
import { nodeText } from "./nodeTexts.js"
import { type Weights, weightsOf } from "./weights.js"

export const sampleValidators = method({
  name: "platform.sampleValidators",
  summary: "A draw of validators by weight, unit by unit and without putting back: a heavy one may come several times.",
  params: object({ size: withDefault(u16, 0), subnetID: withDefault(id, PRIMARY_NETWORK_ID) }),
  result: answer.object({ validators: answer.list(answer.nodeID) }),
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
    if (weights.total === 0n) throw platformError("platform.no_validators", { subnetID: idText(subnetID) })
    if (weights.total < BigInt(size)) {
      throw platformError("platform.insufficient_weight", { subnetID: idText(subnetID), size, weight: weights.total })
    }
    const drawn = draw(weights.total, size).map((unit) => memberAt(weights, unit))
    return { validators: drawn.sort().map(nodeText) }
  },
})

/** So many different numbers below a total. */
export function draw(total: bigint, size: number): bigint[] {
  // Few of many: what was drawn before seldom comes again. Many of few: shuffle all.
  if (total > BigInt(size) * 2n) return sparse(total, size)
  const all = Array.from({ length: Number(total) }, (_, i) => BigInt(i))
  for (let i = 0; i < size; i++) {
    const other = i + Number(below(total - BigInt(i)))
    const taken = all[other] as bigint
    all[other] = all[i] as bigint
    all[i] = taken
  }
  return all.slice(0, size)
}

function sparse(total: bigint, size: number): bigint[] {
  const drawn = new Set<bigint>()
  while (drawn.size < size) drawn.add(below(total))
  return [...drawn]
}

/** A number below a limit of up to 64 bits, all as likely: of 128 random bits the unevenness does not show. */
function below(limit: bigint): bigint {
  const bits = randomBytes(16)
  return ((bits.readBigUInt64BE(0) << 64n) | bits.readBigUInt64BE(8)) % limit
}

/** The member that a unit of weight belongs to. */
function memberAt({ nodeIDs, sums }: Weights, unit: bigint): NodeID {
  let low = 0
  let high = sums.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sums[middle] as bigint) > unit) high = middle
    else low = middle + 1
  }
  return nodeIDs[low] as NodeID
}
