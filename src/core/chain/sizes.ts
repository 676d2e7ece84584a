import type { Block } from "../blocks/block.js"
import { blockError } from "../blocks/errors.js"
import { isActive } from "../networks/upgrades.js"
import type { BlockContext, Rules } from "../rules/context.js"
import { MAX_SIZE_BEFORE_HELICON, type Tx } from "../txs/tx.js"
import { chainError } from "./errors.js"

/** Refuses a large block until Helicon. The time of the last accepted state (Unix seconds) decides, not the block's own. */
export function checkBlockSize({ bytes }: Pick<Block, "bytes">, { upgrades }: Pick<Rules, "upgrades">, chainTime: bigint): void {
  if (bytes.length <= MAX_SIZE_BEFORE_HELICON || isActive(upgrades, "helicon", chainTime)) return
  const data = { size: bytes.length, limit: MAX_SIZE_BEFORE_HELICON }
  throw blockError("block.too_large_before_helicon", data).dependingOn("height")
}

/** Refuses to admit a large transaction until Helicon, by the local clock. Transactions in a block are not checked. */
export function checkTxSize({ bytes }: Pick<Tx, "bytes">, { upgrades, now }: Pick<BlockContext, "upgrades" | "now">): void {
  if (bytes.length <= MAX_SIZE_BEFORE_HELICON || isActive(upgrades, "helicon", now)) return
  throw chainError("chain.tx_too_large_before_helicon", { size: bytes.length, limit: MAX_SIZE_BEFORE_HELICON })
}
