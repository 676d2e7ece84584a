import { type Block, txsOf } from "../blocks/block.js"
import { Invalid } from "../lib/invalid.js"
import { min } from "../lib/math64.js"
import { requireSubnetOfChain } from "../rules/subnets.js"
import { verifyWarpMessage, type WarpContext } from "../rules/warp.js"
import { setChangeTables, tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { warpMessageOf } from "../txs/execute.js"
import { decodeSignedMessage } from "../types/warp/message.js"
import { chainError } from "./errors.js"

export function warpMessagesOf(block: Block): Uint8Array[] {
  return txsOf(block).flatMap((tx) => warpMessageOf(tx.unsignedTx) ?? [])
}

/**
 * Returns the highest P-Chain height up to the parent's at which all these Warp messages are valid, for blocks without a wrapper, which
 * name none. Throws the refusal at the highest height if none is valid.
 */
export function highestWarpHeight(
  messages: readonly Uint8Array[],
  parentHeight: bigint,
  context: Omit<WarpContext, "pChainHeight">,
): bigint {
  let first: Invalid | undefined
  for (const pChainHeight of candidates(messages, parentHeight, context.lastAccepted)) {
    try {
      for (const message of messages) verifyWarpMessage(message, { ...context, pChainHeight })
      return pChainHeight
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      first ??= error
    }
  }
  throw first ?? chainError("chain.no_warp_height", { parentHeight })
}

/**
 * Sets are the same between two changes, so only the heights below a change are tried. No height above the last accepted block is known.
 */
function candidates(messages: readonly Uint8Array[], parentHeight: bigint, view: View): bigint[] {
  const heights = new Set([min(parentHeight, view.get(tables.lastAccepted, null)?.height ?? parentHeight)])
  for (const raw of messages) {
    const subnetID = requireSubnetOfChain(view, decodeSignedMessage(raw).sourceChainID)
    for (const table of setChangeTables) {
      for (const [{ height }] of view.rows(table, { under: { subnetID } })) {
        if (height > 0n && height <= parentHeight) heights.add(height - 1n)
      }
    }
  }
  return [...heights].sort((a, b) => (a < b ? 1 : -1))
}
