import { type SubnetFacts, subnetIDs } from "../../../core/readmodel/chains.js"
import { type ID, idText, PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import { answer } from "../../../jsonrpc/result.js"
import { list, object, withDefault } from "../../../jsonrpc/schema/kinds.js"
import type { Context } from "../../context.js"
import { method } from "../../context.js"
import { id } from "../../params.js"
import { rawOf } from "../cache/ready.js"
import { ownerAnswer } from "../owners.js"
import { controlOf, ownerBeside, subnetOf } from "./subnets.js"

export const getSubnets = method({
  name: "platform.getSubnets",
  summary: "Subnets and who may change them: all in the order of creation with the primary network last, or those asked for.",
  deprecated: "since v1.9.12; use getSubnet",
  params: object({ ids: withDefault(list(id), []) }),
  result: answer.object({
    subnets: answer.nullable(
      answer.list(
        answer.object({
          id: answer.id,
          controlKeys: answer.list(answer.address),
          threshold: answer.digits,
          owner: answer.optional(ownerAnswer),
        }),
      ),
    ),
  }),
  cost: 5,
  examples: [
    {
      params: {},
      result: {
        subnets: [
          {
            id: "2fTMf76veWTt8ZttMsPYqirhd44uShAXAGScbZxDG3MNSFvxka",
            controlKeys: ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"],
            threshold: "1",
          },
          {
            id: "2N32bXsQhwsHnoLCmafDZAPcp3gGqrVBeQXnBjKHaSJv24EsfR",
            controlKeys: [],
            threshold: "0",
            owner: { locktime: "0", threshold: "1", addresses: ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"] },
          },
          { id: "11111111111111111111111111111111LpoYY", controlKeys: [], threshold: "0" },
        ],
      },
    },
  ],

  handler({ ids }, context) {
    if (ids.length === 0) return context.cached("platform.getSubnets", () => rawOf({ subnets: allSubnets(context) }))
    const subnets = [...new Set(ids)].flatMap((subnetID) => entryOf(subnetID, context) ?? [])
    return { subnets: subnets.length === 0 && context.dialect === "avalanchego" ? null : subnets }
  },
})

const primaryNetwork = { id: idText(PRIMARY_NETWORK_ID), controlKeys: [], threshold: "0" }

function allSubnets(context: Context) {
  return [...subnetIDs(context.view), PRIMARY_NETWORK_ID].map((subnetID) => entryOf(subnetID, context) ?? missing(subnetID))
}

function missing(subnetID: ID): never {
  throw new Error(`subnet ${subnetID} has no owner`)
}

function entryOf(subnetID: ID, context: Context) {
  if (subnetID === PRIMARY_NETWORK_ID) return primaryNetwork
  const facts = subnetOf(context.view, subnetID)
  return (
    facts && { id: idText(subnetID), ...controlOf(facts, isOwnerShown(facts, context), context), ...ownerBeside(facts, context) }
  )
}

/** AvalancheGo hides the owner of a transformed subnet here, and shows that of a converted one. */
function isOwnerShown({ transformationTxID, conversion }: SubnetFacts, { dialect }: Context): boolean {
  return transformationTxID === undefined && (dialect === "avalanchego" || conversion === undefined)
}
