import { expect } from "vitest"
import { allSqlTables, sqlTables } from "../../src/core/sql/tables.js"
import { tables } from "../../src/core/state/tables.js"
import type { View } from "../../src/core/state/view.js"
import { valuesOf } from "../../src/core/state/view.js"
import { idText } from "../../src/core/types/id.js"
import type { StoredChain } from "../../src/datadir/storedChain.js"
import type { Database } from "../../src/postgres/connection.js"
import type { ExpectedRows, Row } from "./expected/expectedRows.js"

/** Tables whose rows are in the program's own encoding; historyRows.test.ts and readServer.test.ts compare them. */
const OWN_ENCODING: ReadonlySet<unknown> = new Set([sqlTables.history, sqlTables.snapshots])

/** Orders rows by their values. */
function sorted(rows: Iterable<Row>): Row[] {
  const text = (row: Row) =>
    JSON.stringify(Object.entries(row).sort(), (_, value) => (typeof value === "bigint" ? String(value) : value))
  return [...rows]
    .map((row) => ({ text: text(row), row: { ...row } }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ row }) => row)
}

/** Compares every column of every published row with the blocks and the states that they led to. Returns the number of rows of each table. */
export async function expectEveryRow(
  sql: Database,
  expected: ExpectedRows,
  last: View,
  data: StoredChain,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  const own = { chain: [chainRow(data)], removed_blocks: [], overrides: [], tip: [tipRow(expected, last)] }
  const all = { ...expected.byTable(), ...own } as Record<string, Iterable<Row>>
  for (const table of allSqlTables) {
    if (OWN_ENCODING.has(table)) continue
    const rows = await sql.unsafe<Row[]>(`select * from serac.${table.name}`)
    expect({ table: table.name, rows: sorted(rows) }).toEqual({
      table: table.name,
      rows: sorted(all[table.name] as Iterable<Row>),
    })
    counts[table.name] = rows.length
  }
  await expectViews(sql, last)
  return counts
}

function chainRow({ genesis, rules: { networkID, avaxAssetID }, ruleFlags }: StoredChain): Row {
  return {
    network_id: BigInt(networkID),
    network: expect.any(String),
    genesis_id: idText(genesis.block.id),
    genesis: new Uint8Array(genesis.bytes()),
    upgrades: expect.stringContaining("graniteTime"),
    rules: JSON.stringify(ruleFlags),
    avax_asset_id: idText(avaxAssetID),
    hrp: expect.any(String),
    kind: "followed",
    identity: `${networkID}-${idText(genesis.block.id)}`,
  }
}

function tipRow({ blocks }: ExpectedRows, last: View): Row {
  const { height, id } = last.get(tables.lastAccepted, null) as { height: bigint; id: Parameters<typeof idText>[0] }
  const accrued = last.get(tables.accruedFees, null)
  const fee = { accrued_fee: accrued === undefined ? null : String(accrued) }
  return { height, block_id: idText(id), time: blocks.at(-1)?.time, reverts: 0n, overrides: 0n, overrides_id: "", ...fee }
}

/** A validator earns its potential reward if its term ends well, and nothing if it does not; what it restaked before is paid once. */
async function expectIncome(sql: Database): Promise<void> {
  const earned = "paid_reward + restaked_reward"
  const due = "case when ended_height = e.height and e.reason <> 'rewarded' then 0 else potential_reward end"
  const wrong = `select i.tx_id, i.ended_height, ${earned} as earned, ${due} as due from serac.staking_income i
    left join serac.staker_ends e using (tx_id) where i.role = 'validator' and ${earned} <> ${due}`
  expect([...(await sql.unsafe(wrong))]).toEqual([])
  const [sums] = await sql.unsafe<
    Row[]
  >(`select (select coalesce(sum(paid_reward + paid_fee), 0) from serac.staking_income) as terms,
    (select coalesce(sum(amount), 0) from serac.rewards r where exists (select from serac.staking_terms t where t.tx_id = r.staker_tx_id)) as rewards`)
  expect(sums?.terms).toBe(sums?.rewards)
}

/** Compares the views of the current state with the last state. */
async function expectViews(sql: Database, view: View): Promise<void> {
  const pairs = async (statement: string) =>
    (await sql.unsafe<Row[]>(statement)).map((row) => Object.values(row).join(" ")).sort()
  const accrued = view.get(tables.accruedFees, null) ?? 0n
  const l1 = [...view.rows(tables.l1Validators)].map(([id, { weight, endAccumulatedFee: end }]) =>
    [idText(id), weight, end > 0n, end > 0n ? end - accrued : 0n].join(" "),
  )
  const states = "select validation_id, weight, active, balance from serac.l1_validator_states"
  expect(await pairs(`${states} where weight > 0`)).toEqual(l1.sort())
  const stakers = [...valuesOf(view.rows(tables.currentStakers)), ...valuesOf(view.rows(tables.pendingStakers))].map(({ txID }) =>
    idText(txID),
  )
  expect(await pairs("select tx_id from serac.staking_periods where ended_at is null")).toEqual(stakers.sort())
  await expectIncome(sql)
  const utxos = [...valuesOf(view.rows(tables.utxos))].map(({ txID, outputIndex }) => `${idText(txID)} ${outputIndex}`)
  expect(await pairs("select tx_id, output_index from serac.utxos")).toEqual(utxos.sort())
  const owners = [...view.rows(tables.subnetOwners)].map(([id, { threshold }]) => `${idText(id)} ${threshold}`)
  expect(await pairs("select subnet_id, owner_threshold from serac.subnet_owners")).toEqual(owners.sort())
  const members = [...view.rows(tables.members)].filter(([, { weight }]) => weight > 0n)
  const [weights] = await sql.unsafe<{ sum: string | null }[]>(
    `select sum(weight) from (select distinct on (subnet_id, node_id) weight from serac.validator_weights
     order by subnet_id, node_id, height desc) newest`,
  )
  expect(weights?.sum).toBe(String(members.reduce((sum, [, { weight }]) => sum + weight, 0n)))
}
