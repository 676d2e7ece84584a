import type { View } from "../state/view.js"
import type { Projection } from "./projection.js"
import { readTables } from "./tables.js"

/** Records the chain's time after each block, because blocks did not contain it before Banff. */
export const blockTimes: Projection = {
  tables: [readTables.blockTimes],

  onBlock({ diff }, { height, time }) {
    diff.put(readTables.blockTimes, height, time)
  },
}

/** Returns the chain's time after a block, Unix seconds. */
export function blockTime(view: View, height: bigint): bigint {
  const time = view.get(readTables.blockTimes, height)
  if (time === undefined) throw new Error(`the time of block ${height} is missing`)
  return time
}
