import { createListIndex, createRangeIndex } from "../core/sql/definitions.js"
import { SQL_SCHEMA } from "../core/sql/sqlTable.js"

/**
 * The changes of tables that lead from one version to the next. Views and comments are not part of it, because every migration makes them
 * again.
 */
export interface MigrationStep {
  /** The version after the step. */
  readonly version: number
  readonly statements: readonly string[]
}

/** Text columns that are compared byte by byte since version 2. */
const TEXTS_OF_2: Readonly<Record<string, readonly string[]>> = {
  chain: ["genesis_id", "avax_asset_id", "hrp"],
  tip: ["block_id", "overrides_id"],
  blocks: ["block_id", "parent_id", "kind", "wrapper_id"],
  txs: ["tx_id", "kind", "status"],
  outputs: ["tx_id", "created_by", "kind", "asset_id"],
  inputs: ["tx_id", "spent_by", "asset_id"],
  cross_chain_transfers: ["tx_id", "direction", "chain_id", "asset_id"],
  address_history: ["address", "asset_id", "tx_id", "kind"],
  stakers: ["tx_id", "role", "subnet_id", "node_id"],
  staker_ends: ["tx_id", "reason", "ended_by"],
  rewards: ["tx_id", "kind", "staker_tx_id", "node_id", "subnet_id", "asset_id"],
  validator_set_changes: ["subnet_id", "node_id"],
  subnets: ["subnet_id"],
  subnet_changes: ["subnet_id", "tx_id", "change", "asset_id", "manager_chain_id"],
  chains: ["chain_id", "subnet_id", "vm_id"],
  l1_validators: ["validation_id", "tx_id", "subnet_id", "node_id"],
  l1_validator_events: ["validation_id", "tx_id", "subnet_id", "node_id", "event"],
}

/** Tables whose index of heights is a BRIN index since version 2. */
const HEIGHTS_OF_2 = [
  "outputs",
  "inputs",
  "cross_chain_transfers",
  "address_history",
  "stakers",
  "staker_ends",
  "rewards",
  "validator_set_changes",
  "subnets",
  "subnet_changes",
  "chains",
  "l1_validators",
  "l1_validator_events",
]

/** Returns an expression for a sum since version 3, from its 8 bytes: no bytes if it is zero, and the number of bytes before them. */
const sumOf3 = (bytes: string): string =>
  `case ${bytes} when '\\x0000000000000000'::bytea then '\\x00'::bytea else '\\x08'::bytea || ${bytes} end`

/** The effects of a transaction on an owner: their number, and for each the asset (32 bytes) and two sums, which had 8 bytes each before. */
const EFFECTS_OF_3 = `substring(value from 1 for 4) || coalesce((
  select string_agg(
    substring(value from 5 + 48 * i for 32)
      || ${sumOf3("substring(value from 37 + 48 * i for 8)")}
      || ${sumOf3("substring(value from 45 + 48 * i for 8)")},
    ''::bytea order by i)
  from generate_series(0, (length(value) - 4) / 48 - 1) i), '')`

/** The balance of an owner: a sum, which had 16 bytes before, and a count. */
const BALANCES_OF_3 = `case substring(value from 1 for 8)
    when '\\x0000000000000000'::bytea then ${sumOf3("substring(value from 9 for 8)")}
    else '\\x10'::bytea || substring(value from 1 for 16) end
  || substring(value from 17 for 8)`

/** Returns the statement that replaces the values of one of the program's own tables. */
const rewriteHistory = (number: number, value: string): string =>
  `update ${SQL_SCHEMA}.history set value = ${value} where number = ${number}`

/** Every step in order. A released step is never changed; a new one follows it. Version 1 was the first. */
export const migrationSteps: readonly MigrationStep[] = [
  {
    version: 2,
    statements: [
      ...[...HEIGHTS_OF_2.map((table) => `${table}_height`), "blocks_time"].map((index) => `drop index ${SQL_SCHEMA}.${index}`),
      ...Object.entries(TEXTS_OF_2).map(([table, columns]) => compareBytes(table, columns)),
      ...[...HEIGHTS_OF_2, "history"].map((table) => createRangeIndex(table, "height")),
      ...["blocks", "txs"].map((table) => createRangeIndex(table, "time")),
    ],
  },
  { version: 3, statements: [rewriteHistory(13, EFFECTS_OF_3), rewriteHistory(14, BALANCES_OF_3)] },
  {
    version: 4,
    statements: [`alter table ${SQL_SCHEMA}.chain add column kind text collate "C", add column identity text collate "C"`],
  },
  {
    version: 5,
    statements: [
      `alter table ${SQL_SCHEMA}.blocks add column warp_height bigint`,
      `create table ${SQL_SCHEMA}.overrides
        (position bigint not null, height bigint not null, bytes bytea not null, primary key (position))`,
    ],
  },
  {
    version: 6,
    statements: [
      ...["outputs", "rewards"].map((table) => createListIndex(table, "addresses")),
      ...["reward_addresses", "delegation_reward_addresses"].map((column) => createListIndex("stakers", column)),
    ],
  },
  {
    version: 7,
    statements: [
      `alter table ${SQL_SCHEMA}.tip add column accrued_fee numeric`,
      `alter table ${SQL_SCHEMA}.l1_validator_events alter column tx_id drop not null, add column accrued_fee numeric`,
      // The publisher writes them again, see `restoreRows`.
      `delete from ${SQL_SCHEMA}.l1_validator_events`,
    ],
  },
  {
    version: 8,
    // The publisher writes its rows, see `restoreRows`.
    statements: [
      `create table ${SQL_SCHEMA}.staking_terms (tx_id text collate "C" not null, height bigint not null,
        start_time timestamptz not null, end_time timestamptz not null, weight numeric not null, potential_reward numeric not null,
        primary key (height, tx_id))`,
      `create index staking_terms_tx_id_height on ${SQL_SCHEMA}.staking_terms (tx_id, height)`,
    ],
  },
]

function compareBytes(table: string, columns: readonly string[]): string {
  const changes = columns.map((column) => `alter column ${column} type text collate "C"`)
  return `alter table ${SQL_SCHEMA}.${table} ${changes.join(", ")}`
}
