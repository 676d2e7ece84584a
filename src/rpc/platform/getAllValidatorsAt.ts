import { compressKey } from "../../crypto/compressKey.js"
import { Invalid } from "../../lib/invalid.js"
import type { Json } from "../../lib/json.js"
import { subnetIDs } from "../../readmodel/chains.js"
import { validatorSetAt } from "../../readmodel/validatorSets.js"
import { type CanonicalSet, canonicalSet, type ValidatorSet } from "../../rules/validatorSet.js"
import { tables } from "../../state/tables.js"
import { toHexText } from "../../types/hexText.js"
import { idText, PRIMARY_NETWORK_ID } from "../../types/id.js"
import { answer } from "../answer.js"
import { method } from "../method.js"
import { height, object, withDefault } from "../schema.js"
import { UNFINALIZED } from "./getValidatorsAt.js"
import { requireReached } from "./heights.js"
import { nodeText } from "./nodeTexts.js"
import { lastingAnswer, rawOf } from "./ready.js"

export const getAllValidatorsAt = method({
  name: "platform.getAllValidatorsAt",
  summary: "The validator sets of all subnets after the block at a height, as Warp messages are verified with them.",
  params: object({ height: withDefault(height, 0n) }),
  result: answer.object({
    validatorSets: answer.map(
      answer.object({
        validators: answer.list(
          answer.object({ publicKey: answer.hex, weight: answer.digits, nodeIDs: answer.list(answer.nodeID) }),
        ),
        totalWeight: answer.described(answer.digits, "of validators without key too"),
      }),
      "subnet ID",
    ),
  }),
  cost: 20,
  examples: [],

  handler({ height }, context) {
    const { view, node } = context
    const at = height === "proposed" ? node.proposedHeight() : height
    requireReached(at, context, (h) => `failed to get validator sets at ${h}: ${UNFINALIZED}`)
    return lastingAnswer(context, `getAllValidatorsAt ${view.get(tables.blockIDs, at)}`, () => {
      const sets: [string, Json][] = []
      for (const subnetID of [PRIMARY_NETWORK_ID, ...subnetIDs(view)]) {
        const set = validatorSetAt(view, subnetID, at)
        const canonical = set.size > 0 ? canonicalOf(set) : undefined
        if (canonical) sets.push([idText(subnetID), setJson(canonical)])
      }
      return rawOf({ validatorSets: Object.fromEntries(sets.sort(([a], [b]) => (a < b ? -1 : 1))) })
    })
  },
})

/** A set that is too heavy to be counted can sign nothing, and is left out. */
function canonicalOf(set: ValidatorSet): CanonicalSet | undefined {
  try {
    return canonicalSet(set)
  } catch (error) {
    if (error instanceof Invalid) return undefined
    throw error
  }
}

function setJson({ signers, totalWeight }: CanonicalSet): Json {
  const validators = signers.map(({ publicKey, weight, nodeIDs }) => ({
    publicKey: toHexText(compressKey(publicKey), "hexnc"),
    weight: weight.toString(),
    nodeIDs: nodeIDs.map(nodeText),
  }))
  return { validators, totalWeight: totalWeight.toString() }
}
