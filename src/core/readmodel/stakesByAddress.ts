import { encode, versioned } from "../codec/decode.js"
import type { Diff } from "../state/diff.js"
import type { Staker } from "../state/staker.js"
import { tables } from "../state/tables.js"
import { requireStaker } from "../txs/execute.js"
import type { ID } from "../types/id.js"
import { innerOutput, transferableOutput } from "../types/output.js"
import { listedOwners } from "./ownerGroups.js"
import { follow, type Projection } from "./projection.js"
import { readTables } from "./tables.js"

const topLevelOutput = versioned(transferableOutput)

/**
 * Records the outputs that each owner has staked. A staker that moves from the pending set to the current one is first removed, then added.
 */
export const stakesByAddress: Projection = {
  tables: [readTables.stakesByAddress],
  follows: [
    follow(tables.pendingStakers, (diff, { txID }, _before, after) => change(diff, txID, after)),
    follow(tables.currentStakers, (diff, { txID }, _before, after) => change(diff, txID, after)),
  ],
}

function change(diff: Diff, txID: ID, after: Staker | undefined): void {
  for (const [outputIndex, staked] of requireStaker(diff, txID).stake.entries()) {
    const { addresses, amount } = innerOutput(staked.output)
    const row = after && { ...turnOf(after), assetID: staked.assetID, amount, bytes: encode(topLevelOutput, staked) }
    for (const owner of listedOwners(diff, addresses)) {
      const key = { owner, txID, outputIndex }
      if (row) diff.put(readTables.stakesByAddress, key, row)
      else diff.delete(readTables.stakesByAddress, key)
    }
  }
}

const turnOf = ({ nextTime, priority }: Staker) => ({ nextTime, priority })
