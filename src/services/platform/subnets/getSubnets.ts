import { type SubnetFacts, subnetFacts, subnetIDs } from "../../../core/readmodel/chains.js"
import type { Address } from "../../../core/types/address.js"
import { type ID, PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import type { OutputOwners } from "../../../core/types/owners.js"
import { described, list, optional, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { u32Text } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { nullable, rows } from "../../../jsonrpc/schema/outputs.js"
import type { Context } from "../../context.js"
import { method } from "../../context.js"
import { addressOutput, id } from "../../kinds.js"
import { ofState } from "../../lifetimes.js"
import { ownerOutput } from "../owners.js"
import { controlOf, ownerWithoutControl, subnetOf } from "./subnets.js"

const entryOutput = object({
  id: id,
  controlKeys: list(addressOutput),
  threshold: u32Text,
  owner: optional(ownerOutput),
})

export const getSubnets = method({
  name: "platform.getSubnets",
  summary:
    "Returns subnets with their owners: those with the given IDs, or all of them in the order of creation with the primary network last.",
  deprecated: "since v1.9.12; use getSubnet",
  params: object({ ids: described(withDefault(list(id), []), "The IDs of the subnets; all subnets by default.") }),
  result: object({ subnets: nullable(rows(entryOutput)) }),
  cost: 5,
  lifetime: ofState,
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

  async handler({ ids }, context, { pace }) {
    if (ids.length === 0) return { subnets: allEntries(context) }
    const subnets: SubnetEntry[] = []
    for (const id of new Set(ids)) {
      const facts = id === PRIMARY_NETWORK_ID ? undefined : await subnetOf(context, id, pace)
      if (facts) subnets.push(entryOf(id, facts, context))
      else if (id === PRIMARY_NETWORK_ID) subnets.push(primaryNetwork)
      if (pace.isDue) await pace.pause()
    }
    return { subnets: context.dialect === "avalanchego" && subnets.length === 0 ? null : subnets }
  },
})

/** One subnet of the list. */
interface SubnetEntry {
  readonly id: ID
  readonly controlKeys: readonly Address[]
  readonly threshold: number
  readonly owner?: OutputOwners
}

const primaryNetwork: SubnetEntry = { id: PRIMARY_NETWORK_ID, controlKeys: [], threshold: 0 }

function* allEntries(context: Context): Iterable<SubnetEntry> {
  for (const subnetID of subnetIDs(context.view)) {
    yield entryOf(subnetID, subnetFacts(context.view, subnetID) ?? missing(subnetID), context)
  }
  yield primaryNetwork
}

function missing(subnetID: ID): never {
  throw new Error(`subnet ${subnetID} has no owner`)
}

function entryOf(id: ID, facts: SubnetFacts, context: Context): SubnetEntry {
  return { id, ...controlOf(facts, isOwnerShown(facts, context)), ...ownerWithoutControl(facts, context) }
}

/** AvalancheGo hides the owner of a transformed subnet here, and shows the owner of a converted one. */
function isOwnerShown({ transformationTxID, conversion }: SubnetFacts, { dialect }: Context): boolean {
  return transformationTxID === undefined && (dialect === "avalanchego" || conversion === undefined)
}
