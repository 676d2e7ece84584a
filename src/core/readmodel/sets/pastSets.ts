import { currentSet } from "../../rules/validatorSet.js"
import { u64Key } from "../../state/key.js"
import type { View } from "../../state/view.js"
import type { ID } from "../../types/id.js"
import { readTables } from "../tables.js"
import { type Names, plainNames } from "./eraOfSpells.js"
import { lastSetChange } from "./setChanges.js"
import { eraIn, type SetEra } from "./setEra.js"
import { type Stops, Stretch } from "./stretch.js"

/** How many changes an era that is told on demand reaches further back than it must, at least: who asks for one height soon asks for others. */
const FEWEST_MORE = 256

/**
 * The era of a height at which a subnet's set changed: the one that was written down, or for what is newer than all of those one that
 * is told from the present set, as far back as the height and once more as many changes.
 */
export function eraAround(view: View, subnetID: ID, height: bigint, names: Names = plainNames): SetEra {
  for (const [, bytes] of view.rows(readTables.setEras, { prefix: subnetID, from: `${subnetID}${u64Key.toText(height)}` })) {
    return eraIn(bytes)
  }
  const stretch = new Stretch(view, subnetID, currentSet(view, subnetID), lastSetChange(view, subnetID) ?? height)
  if (height < stretch.upTo) stretch.goBack(aroundHeight(height, lastEraOf(view, subnetID)))
  return stretch.era(names)
}

/** The last height of the newest era that was written down. */
function lastEraOf(view: View, subnetID: ID): bigint {
  return view.get(readTables.setProgress, subnetID)?.since ?? 0n
}

/** Stops some way behind a height, but not beyond another. */
function aroundHeight(height: bigint, bottom: bigint): Stops {
  let enough: number | undefined
  return (at, undone) => {
    if (at > height) return false
    enough ??= undone + Math.max(undone, FEWEST_MORE)
    return at <= bottom || undone >= enough
  }
}
