import type { SqlTable } from "./sqlTable.js"
import { bookkeepingTables } from "./tables/bookkeeping.js"
import { moneyTables } from "./tables/money.js"
import { stakingTables } from "./tables/staking.js"
import { subnetTables } from "./tables/subnets.js"

/** The tables of a published chain. All are in the PostgreSQL schema `serac`. */
export const sqlTables = { ...bookkeepingTables, ...moneyTables, ...stakingTables, ...subnetTables } as const

export const allSqlTables: readonly SqlTable[] = Object.values(sqlTables)
