import type { AnyTable } from "../state/table.js"
import { blockTimes } from "./blockTimes.js"
import { creations } from "./creations.js"
import { delegations } from "./delegations.js"
import { explorerTableList } from "./explorer/tables.js"
import { currentTables } from "./historyTables.js"
import { ownerGroups } from "./ownerGroups.js"
import type { Projection } from "./projection.js"
import { rewardsByAddress } from "./rewardsByAddress.js"
import { stakesByAddress } from "./stakesByAddress.js"
import { readTables } from "./tables.js"
import { txsByAddress } from "./txsByAddress.js"
import { setSegments } from "./validatorSets/setSegments.js"

/** Every projection. A new one is one file and one line here. Later ones may read the rows of earlier ones. */
export const projections: readonly Projection[] = [
  ownerGroups,
  stakesByAddress,
  delegations,
  creations,
  blockTimes,
  txsByAddress,
  rewardsByAddress,
  setSegments,
]

/** The projections with rows about the current state. */
export const currentProjections: readonly Projection[] = projections.filter(
  (projection) => currentTables(projection.tables).length > 0,
)

/** The projections with rows about the past. Like the rows for explorers they may end before the last block (see `historyGap.ts`). */
export const historyProjections: readonly Projection[] = [txsByAddress, rewardsByAddress]

/** The projections that always include the last block. */
export const presentProjections: readonly Projection[] = projections.filter((each) => !historyProjections.includes(each))

/** The tables with which a store must be opened for the read model, including those for explorers. */
export const readModelTables: readonly AnyTable[] = [
  ...projections.flatMap(({ tables }) => tables),
  readTables.historyGap,
  ...explorerTableList,
]
