import { expect } from "vitest"
import { tables } from "../../src/core/state/tables.js"
import type { View } from "../../src/core/state/view.js"
import { idText } from "../../src/core/types/id.js"
import type { Database } from "../../src/postgres/connection.js"
import { historySums, type StateHistory } from "./stateHistory.js"

type Row = Record<string, unknown>

/** Orders rows by their values. */
function sorted(rows: Iterable<Row>): Row[] {
  const text = (row: Row) => JSON.stringify(row, (_, value) => (typeof value === "bigint" ? String(value) : value))
  return [...rows].map((row) => ({ ...row })).sort((a, b) => (text(a) < text(b) ? -1 : 1))
}

/** Compares every published row with the states that the blocks led to. */
export async function expectEveryRow(sql: Database, history: StateHistory, last: View): Promise<void> {
  const rows = async (statement: string) => sorted(await sql.unsafe<Row[]>(statement))
  expect(
    await rows(
      "select tx_id, output_index, asset_id, amount, addresses, threshold, locktime, stakeable_locktime, height from serac.outputs",
    ),
  ).toEqual(sorted(history.outputs.values()))
  expect(await rows("select tx_id, output_index, spent_by, input_index, height, asset_id, amount from serac.inputs")).toEqual(
    sorted(history.inputs.values()),
  )
  expect(await rows("select tx_id, height, tx_index, kind, status from serac.txs where height > 0")).toEqual(
    sorted(history.txs.values()),
  )
  expect(
    await rows("select tx_id, role, subnet_id, node_id, weight, start_time, end_time, public_key, height from serac.stakers"),
  ).toEqual(sorted(history.stakers.values()))
  expect(await rows("select tx_id, height from serac.staker_ends")).toEqual(sorted(history.ends.values()))
  expect(await rows("select tx_id, output_index, asset_id, amount, addresses, height from serac.rewards")).toEqual(
    sorted(history.rewards.values()),
  )
  expect(await rows("select subnet_id, node_id, height, weight_change from serac.validator_set_changes")).toEqual(
    sorted(history.setChanges.values()),
  )
  const sums = await rows(
    "select address, height, asset_id, sum(received) as received, sum(sent) as sent from serac.address_history group by 1, 2, 3",
  )
  const expectedSums = [...historySums(history.outputs, history.inputs)].map(([key, { received, sent }]) => {
    const [address, height, asset_id] = key.split(" ")
    return { address, height: BigInt(height as string), asset_id, received: String(received), sent: String(sent) }
  })
  expect(sums).toEqual(sorted(expectedSums))
  await expectSubnets(sql, last)
}

/** Compares subnets, chains and L1 validators with the last state. */
async function expectSubnets(sql: Database, view: View): Promise<void> {
  const ids = async (statement: string) => (await sql.unsafe<{ id: string }[]>(statement)).map(({ id }) => id).sort()
  expect(await ids("select subnet_id as id from serac.subnets")).toEqual(
    [...view.rows(tables.subnets)].map(([id]) => idText(id)).sort(),
  )
  const chains = await sql.unsafe<Row[]>("select chain_id, subnet_id, name, vm_id from serac.chains")
  const expectedChains = [...view.rows(tables.chains)].map(([id, { subnetID, chainName, vmID }]) => ({
    chain_id: idText(id),
    subnet_id: idText(subnetID),
    name: chainName,
    vm_id: idText(vmID),
  }))
  expect(sorted(chains)).toEqual(sorted(expectedChains))
  const l1 = await sql.unsafe<Row[]>("select validation_id, weight from serac.l1_validator_states where weight > 0")
  const expectedL1 = [...view.rows(tables.l1Validators)].map(([id, { weight }]) => ({
    validation_id: idText(id),
    weight: String(weight),
  }))
  expect(sorted(l1)).toEqual(sorted(expectedL1))
}
