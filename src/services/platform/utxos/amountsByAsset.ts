import type { Amounts } from "../../../core/readmodel/balances.js"
import { idText } from "../../../core/types/id.js"
import { u64 } from "../../../jsonrpc/schema/numbers.js"
import { map } from "../../../jsonrpc/schema/outputs.js"
import { id } from "../../kinds.js"

/** Amounts in nAVAX or in the asset's own unit. */
export const amountsByAsset = map(id, u64, "asset ID")

/** Sorts amounts by the texts of their assets, as AvalancheGo lists them. */
export function sortedByAsset(amounts: Amounts): Amounts {
  if (amounts.size <= 1) return amounts
  const texts = new Map([...amounts.keys()].map((assetID) => [assetID, idText(assetID)]))
  return new Map([...amounts].sort(([a], [b]) => ((texts.get(a) as string) < (texts.get(b) as string) ? -1 : 1)))
}
