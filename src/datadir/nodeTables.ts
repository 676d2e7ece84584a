import { u64 } from "../core/codec/primitives.js"
import type { TypeOf } from "../core/codec/schema.js"
import { struct } from "../core/codec/struct.js"
import { allWrapperTables, wrapperTables } from "../core/consensus/proposer/tables.js"
import { currentTables } from "../core/readmodel/historyTables.js"
import { readModelTables } from "../core/readmodel/index.js"
import { hexKey } from "../core/state/key.js"
import { type AnyTable, table } from "../core/state/table.js"
import { allTables, tables } from "../core/state/tables.js"
import { NODE_ID_SIZE, type NodeID } from "../core/types/id.js"
import { keystoreTables } from "../keystore/tables.js"
import { devTables, hostedTables, producerTables } from "../producer/tables.js"

/** Every table of a node's store: those of the chain, of the read model, and of the private chain with the wrappers of blocks. */
export const nodeTables: readonly AnyTable[] = [...allTables, ...readModelTables, ...producerTables]

/** Tables whose rows belong to one node and not to the chain: secrets, fetched blocks, wrappers, other chains that it hosts. */
const ownTables: ReadonlySet<AnyTable> = new Set([devTables.identities, ...Object.values(hostedTables), ...allWrapperTables])

/** The tables of the current state, which are part of a snapshot for read servers. */
export const currentNodeTables = currentTables(nodeTables).filter((table) => !ownTables.has(table))

/** The start of a node's validation, its seconds online since then, and the time of the last count. */
const uptimeRow = struct({ startTime: u64, upDuration: u64, lastUpdated: u64 })
export type UptimeRow = TypeOf<typeof uptimeRow>

/** node ID → time for which this node saw a validator of the primary network online */
export const uptimes = table("uptimes", hexKey<NodeID>(NODE_ID_SIZE), uptimeRow)

/** Tables that keep their rows when the chain is reset, because they do not belong to it. */
export const tablesBesideChain: readonly AnyTable[] = [...keystoreTables, uptimes]

/** The tables from which a chain of an older version is made again: its blocks, as other nodes know them, and its overrides. */
export const sourceTables: readonly AnyTable[] = [
  ...[tables.lastAccepted, tables.blockIDs, tables.blocks, tables.waitingProposal],
  ...[wrapperTables.wrapperIDs, wrapperTables.wrappers, wrapperTables.warpHeights, devTables.overrides],
]

/** The tables that blocks and overrides do not determine. An upgrade copies their rows. */
export const carriedTables: readonly AnyTable[] = [
  ...[tables.atomicUtxos, devTables.identities, devTables.wrapper, ...Object.values(hostedTables)],
  ...[wrapperTables.fetchedBlocks, wrapperTables.fetchedRanges, wrapperTables.signedBlocks, wrapperTables.preferredBlocks],
  ...tablesBesideChain,
]
