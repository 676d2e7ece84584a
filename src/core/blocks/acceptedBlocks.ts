import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import type { ID } from "../types/id.js"
import { type Block, decodeBlock } from "./block.js"

/** Returns the bytes of the accepted block at a height, if the state has it. */
export function blockBytesAt(view: View, height: bigint): { readonly id: ID; readonly bytes: Uint8Array } | undefined {
  const id = view.get(tables.blockIDs, height)
  const bytes = id && view.get(tables.blocks, id)
  return id && bytes && { id, bytes }
}

/** Returns the accepted block at a height, if the state has it. */
export function blockAt(view: View, height: bigint): Block | undefined {
  const found = blockBytesAt(view, height)
  return found && decodeAccepted(found.bytes)
}

/** Returns an accepted block that the state names. Throws an error if the state does not have it. */
export function requireBlock(view: View, blockID: ID): Block {
  const bytes = view.get(tables.blocks, blockID)
  if (!bytes) throw new Error(`the state names block ${blockID} and does not have it`)
  return decodeAccepted(bytes)
}

/** Decodes an accepted block. Its size was checked when it was accepted. */
export function decodeAccepted(bytes: Uint8Array): Block {
  return decodeBlock(bytes, {})
}
