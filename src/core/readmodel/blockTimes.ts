import type { Projection } from "./projection.js"
import { readTables } from "./tables.js"

/** Records the chain's time after each block, because blocks did not contain it before Banff. */
export const blockTimes: Projection = {
  name: "blockTimes",
  tables: [readTables.blockTimes],

  onBlock({ diff }, { height, time }) {
    diff.put(readTables.blockTimes, height, time)
  },
}
