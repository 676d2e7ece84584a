import { allWrapperTables } from "../core/consensus/proposer/tables.js"
import { currentTables } from "../core/readmodel/historyTables.js"
import { readModelTables } from "../core/readmodel/index.js"
import type { AnyTable } from "../core/state/table.js"
import { allTables } from "../core/state/tables.js"
import { keystoreTables } from "../keystore/tables.js"
import { devTables, producerTables } from "../producer/tables.js"
import { uptimes } from "./peerUptimes.js"

/** Every table of a node's store: the chain's, those made to answer questions, the private chain's with the wrappers of blocks. */
export const nodeTables: readonly AnyTable[] = [...allTables, ...readModelTables, ...producerTables]

/** Tables whose rows belong to one node and not to the chain: secrets, blocks under way, wrappers. */
const ownTables: ReadonlySet<AnyTable> = new Set([devTables.identities, ...allWrapperTables])

/** The tables of the current state, which a snapshot for read servers has. */
export const currentNodeTables = currentTables(nodeTables).filter((table) => !ownTables.has(table))

/** Tables that outlive a fresh start of the chain: they are not the chain's. */
export const tablesBesideChain: readonly AnyTable[] = [...keystoreTables, uptimes]
