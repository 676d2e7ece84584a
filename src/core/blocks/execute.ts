import { isActive } from "../networks/upgrades.js"
import type { BlockContext } from "../rules/context.js"
import { type Block, blockTypeOf } from "./block.js"
import type { BlockOutcome, Parent } from "./defineBlock.js"
import { blockError } from "./errors.js"

/** Executes a block on its parent, and returns its changes. Throws `Invalid` if it breaks a rule. */
export function executeBlock(block: Block, parent: Parent, blockContext: BlockContext): BlockOutcome {
  const type = blockTypeOf(block)
  const { timestamp } = parent
  if (type.until && isActive(blockContext.upgrades, type.until, timestamp))
    throw blockError("block.apricot_after_banff", { timestamp })
  const expected = parent.height + 1n
  if (block.height !== expected) throw blockError("block.wrong_height", { expected, got: block.height })
  return type.execute(block, parent, blockContext)
}
