import { allWrapperTables } from "../core/consensus/proposer/tables.js"
import { currentTables } from "../core/readmodel/historyTables.js"
import { readModelTables } from "../core/readmodel/index.js"
import type { AnyTable } from "../core/state/table.js"
import { allTables } from "../core/state/tables.js"
import { keystoreTables } from "../keystore/tables.js"
import { devTables, producerTables } from "../producer/tables.js"
import { uptimes } from "./joined/peerUptimes.js"

/** Every table of a node's store: those of the chain, of the read model, and of the private chain with the wrappers of blocks. */
export const nodeTables: readonly AnyTable[] = [...allTables, ...readModelTables, ...producerTables]

/** Tables whose rows belong to one node and not to the chain: secrets, fetched blocks, wrappers. */
const ownTables: ReadonlySet<AnyTable> = new Set([devTables.identities, ...allWrapperTables])

/** The tables of the current state, which are part of a snapshot for read servers. */
export const currentNodeTables = currentTables(nodeTables).filter((table) => !ownTables.has(table))

/** Tables that keep their rows when the chain is reset, because they do not belong to it. */
export const tablesBesideChain: readonly AnyTable[] = [...keystoreTables, uptimes]
