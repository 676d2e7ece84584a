import type { ChargedPace } from "../../../core/lib/pace.js"
import { type SubnetFacts, subnetFacts } from "../../../core/readmodel/chains.js"
import { type Transformation, tables } from "../../../core/state/tables.js"
import type { View } from "../../../core/state/view.js"
import { type ID, idText } from "../../../core/types/id.js"
import type { Context } from "../../context.js"
import { platformError } from "../errors.js"

/** Returns the transformation that opened a subnet to stakers. Throws `platform.not_elastic`. */
export function requireTransformation(view: View, subnetID: ID): Transformation {
  const transformation = view.get(tables.transformations, subnetID)
  if (!transformation) throw platformError("platform.not_elastic", { subnetID: idText(subnetID) })
  return transformation
}

/** Returns the facts about a subnet; `undefined` if it does not exist. Throws `platform.not_a_subnet` for the ID of another transaction. */
export async function subnetOf({ view, past }: Context, subnetID: ID, pace: ChargedPace): Promise<SubnetFacts | undefined> {
  const facts = subnetFacts(view, subnetID)
  const isTx = !facts && (await past(pace).read((all) => all.get(tables.txs, subnetID) !== undefined))
  if (isTx) throw platformError("platform.not_a_subnet", { subnetID: idText(subnetID) })
  return facts
}

/** Returns the controllers of a subnet: its owner, as long as the owner alone decides. `isShown` includes the owner in any case. */
export function controlOf({ owner }: SubnetFacts, isShown: boolean) {
  return isShown ? { controlKeys: owner.addresses, threshold: owner.threshold } : { controlKeys: [], threshold: 0 }
}

/** Returns the owner of a subnet who no longer decides about its validators, but still signs removals and transfers. */
export function ownerWithoutControl({ owner, transformationTxID, conversion }: SubnetFacts, context: Context) {
  const isPermissioned = transformationTxID === undefined && conversion === undefined
  return isPermissioned || context.dialect === "avalanchego" ? {} : { owner }
}
