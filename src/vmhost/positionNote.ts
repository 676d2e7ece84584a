import { decode, encode } from "../core/codec/decode.js"
import { u64 } from "../core/codec/primitives.js"
import type { TypeOf } from "../core/codec/schema.js"
import { struct } from "../core/codec/struct.js"
import type { PluginDatabase } from "./database/pluginDatabase.js"

const note = struct({
  height: u64,
  position: struct({
    timestamp: u64,
    pChainHeight: u64,
    epoch: struct({ pChainHeight: u64, number: u64, startTime: u64 }),
  }),
})

/** The P-Chain height and epoch of a block, and its own height. */
type PositionNote = TypeOf<typeof note>

/** Returns the note about the last block; `undefined` if there is none. */
export function readPosition(database: PluginDatabase): PositionNote | undefined {
  const bytes = database.note("position")
  return bytes && decode(note, bytes)
}

/** Replaces the note about the last block. */
export function writePosition(database: PluginDatabase, position: PositionNote): void {
  database.setNote("position", encode(note, position))
}
