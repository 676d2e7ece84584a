import type { Database } from "./connection.js"
import { postgresError } from "./errors.js"
import { publishedBlockID, type Tip } from "./publication.js"

/** A chain that is compared with the published blocks. */
export interface ComparedChain {
  readonly height: bigint
  /** True if the chain may be reverted to an earlier block. */
  readonly canRevert: boolean
  /** Returns whether its block at a height has this ID, in cb58. */
  has(height: bigint, blockID: string): boolean
}

/**
 * Returns the height after which the chain and the published blocks differ. It is the tip if the chain is only behind the published blocks
 * and was not reverted. Throws `postgres.other_block` if a chain that cannot be reverted differs.
 */
export async function commonHeight(database: Database, tip: Tip, chain: ComparedChain): Promise<bigint> {
  if (chain.has(tip.height, tip.blockID)) return tip.height
  const highest = chain.height < tip.height ? chain.height : tip.height
  const common = await lastCommon(database, chain, highest)
  if (chain.canRevert) return common
  if (common === chain.height) return tip.height
  throw postgresError("postgres.other_block", { height: common + 1n })
}

/** Finds the highest common block. Blocks name their parents, so every block below it is common too. */
async function lastCommon(database: Database, chain: ComparedChain, highest: bigint): Promise<bigint> {
  let [low, high] = [0n, highest]
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    const id = await publishedBlockID(database, middle)
    if (id !== undefined && chain.has(middle, id)) low = middle
    else high = middle - 1n
  }
  return low
}
