import { allWrapperTables } from "../core/consensus/proposer/tables.js"
import { readModelTables } from "../core/readmodel/index.js"
import type { AnyTable } from "../core/state/table.js"
import { allTables } from "../core/state/tables.js"
import { keystoreTables } from "../keystore/tables.js"
import { producerTables } from "../producer/tables.js"

/** Every table of a node's store: the chain's, the wrappers of its blocks, those made to answer questions, the private chain's. */
export const nodeTables: readonly AnyTable[] = [...allTables, ...allWrapperTables, ...readModelTables, ...producerTables]

/** Tables that outlive a fresh start of the chain: they are not the chain's. */
export const lastingTables: readonly AnyTable[] = keystoreTables
