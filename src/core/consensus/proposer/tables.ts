import { list } from "../../codec/list.js"
import { bytes, u64 } from "../../codec/primitives.js"
import { struct } from "../../codec/struct.js"
import { compoundKey, hexKey, u64Key } from "../../state/key.js"
import { type AnyTable, singleton, table } from "../../state/table.js"
import { type ID, ID_SIZE, id } from "../../types/id.js"

/** Bytes of a wrapper before and after its block. The block itself is in the table of the chain. */
const wrapperRow = struct({ height: u64, head: bytes, tail: bytes })

/** Tables of a node that joins a network, beside those of the chain. */
export const wrapperTables = {
  /** outer ID → the wrapper of an accepted block. A block without wrapper has none: its outer ID is the block's own. */
  wrappers: table("wrappers", hexKey<ID>(ID_SIZE), wrapperRow),
  /** height → outer ID of the accepted block, if it has a wrapper */
  wrapperIDs: table("wrapperIDs", u64Key, id),
  /** height → the P-Chain height at which the Warp messages of a private chain's block were verified, which its wrapper does not name */
  warpHeights: table("warpHeights", u64Key, u64),
  /** height → outer bytes of a block that was fetched and not executed yet */
  fetchedBlocks: table("fetchedBlocks", u64Key, bytes),
  /** the heights of these blocks as ranges, ends included, in ascending order */
  fetchedRanges: singleton("fetchedRanges", list(struct({ first: u64, last: u64 }))),
  /** height and slot → outer bytes of the block that this node signed for them */
  signedBlocks: table("signedBlocks", compoundKey({ height: u64Key, slot: u64Key }), bytes),
  /** height → outer bytes of the undecided block that this validator votes for */
  preferredBlocks: table("preferredBlocks", u64Key, bytes),
} as const

export const allWrapperTables: readonly AnyTable[] = Object.values(wrapperTables)
