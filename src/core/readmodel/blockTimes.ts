import type { Projection } from "./projection.js"
import { readTables } from "./tables.js"

/** The chain's time after each block: blocks did not carry it before Banff. */
export const blockTimes: Projection = {
  name: "blockTimes",
  tables: [readTables.blockTimes],

  onBlock({ diff }, { height, time }) {
    diff.put(readTables.blockTimes, height, time)
  },
}
