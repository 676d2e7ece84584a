import { describe, expect, test } from "vitest"
import { explorerTableList } from "../../src/core/readmodel/explorer/tables.js"
import { rebuildReadModel } from "../../src/core/readmodel/fold.js"
import { lastBlockOf } from "../../src/core/readmodel/history.js"
import { readModelTables } from "../../src/core/readmodel/index.js"
import { readTables } from "../../src/core/readmodel/tables.js"
import { currentSet, type ValidatorSet } from "../../src/core/rules/validatorSet.js"
import type { OwnerKey } from "../../src/core/state/ownerKey.js"
import { validatorKey } from "../../src/core/state/staker.js"
import { tables } from "../../src/core/state/tables.js"
import type { IndexedView, View } from "../../src/core/state/view.js"
import type { Address } from "../../src/core/types/address.js"
import { type ID, PRIMARY_NETWORK_ID } from "../../src/core/types/id.js"
import { goldenChains } from "../fixtures/goldenChain.js"
import { memberTexts, readSetAt, replayGolden } from "../fixtures/readModel.js"

describe.each(goldenChains)("%s", (folder) => {
  const remembered = new Map<bigint, Map<ID, ValidatorSet>>()
  const keptAt: [bigint, Rows, Rows][] = []
  const unannounced: [bigint, string][] = []
  let before: ReturnType<typeof belongingsOf> | undefined
  const { store } = replayGolden(folder, ({ store, genesis, blocks }, { height }) => {
    // Before its option a proposal has changed nothing.
    if (!store.latest.get(tables.blockIDs, height)) return
    remembered.set(height, setsOf(store.latest))
    const now = belongingsOf(store.latest)
    for (const address of before ? new Set([...before.keys(), ...now.keys()]) : []) {
      const [then, since] = [before?.get(address), now.get(address)]
      if (then?.what !== since?.what && lastBlockOf(store.latest, address) === then?.lastBlock)
        unannounced.push([height, address])
    }
    before = now
    if (height % 40n > 1n && height !== blocks.at(-1)?.height) return
    const kept = rowsOf(store.latest)
    rebuildReadModel(store, genesis)
    keptAt.push([height, kept, rowsOf(store.latest)])
  })

  test("rebuilt rows equal the rows that were written block by block", () => {
    for (const [height, kept, anew] of keptAt) expect([height, anew]).toEqual([height, kept])
    const [, last] = keptAt.at(-1)!
    expect(Object.entries(last).flatMap(([name, rows]) => (rows.length === 0 ? [name] : []))).toEqual(["historyGap"])
  })

  test("the last block of an address changes whenever its UTXOs or stakes change", () => {
    expect(unannounced).toEqual([])
    expect(before?.size).toBeGreaterThan(3)
  })

  test("the validator set of every height equals the set that the state had at that height", () => {
    for (const [height, sets] of remembered) {
      for (const subnetID of remembered.get([...remembered.keys()].at(-1)!)!.keys()) {
        const expected = memberTexts(sets.get(subnetID) ?? new Map())
        expect([height, subnetID, readSetAt(store.latest, subnetID, height)]).toEqual([height, subnetID, expected])
      }
    }
  })

  test("the sums of delegators equal a sum over all delegators", () => {
    const expected = new Map<string, { count: bigint; weight: bigint }>()
    for (const [key, { weight }] of store.latest.rows(tables.currentDelegators)) {
      const sum = expected.get(validatorKey.toText(key)) ?? { count: 0n, weight: 0n }
      expected.set(validatorKey.toText(key), { count: sum.count + 1n, weight: sum.weight + weight })
    }
    expect(rowsOf(store.latest).delegations).toEqual([...expected].sort())
  })
})

type Rows = Record<string, readonly (readonly [string, unknown])[]>

/** The sets of all subnets, as they are now. */
function setsOf(view: View): Map<ID, ValidatorSet> {
  const subnets = [PRIMARY_NETWORK_ID, ...[...view.rows(tables.subnets)].map(([subnetID]) => subnetID)]
  return new Map(subnets.map((subnetID) => [subnetID, currentSet(view, subnetID)]))
}

/** The UTXOs and stakes of each address as one text, with the last block of the address. */
function belongingsOf(view: IndexedView): Map<Address, { what: string; lastBlock: ID | undefined }> {
  const all = new Map<Address, string>()
  // No output of the recorded chains has more than 8 owners.
  const add = (owner: OwnerKey, what: string) => all.set(owner as Address, `${all.get(owner as Address) ?? ""} ${what}`)
  for (const [{ owner, utxoID }] of view.rows(tables.utxosByOwner)) add(owner, utxoID)
  for (const [{ owner, txID, outputIndex }] of view.rows(readTables.stakesByAddress)) add(owner, `${txID} ${outputIndex}`)
  return new Map([...all].map(([address, what]) => [address, { what, lastBlock: lastBlockOf(view, address) }]))
}

/** All rows of the read model by table, without segments: rebuilt segments end at other heights. */
function rowsOf(view: IndexedView): Rows {
  const compared = readModelTables.filter(
    (table) => !table.name.startsWith("set") && table.name !== "ownerGroups" && !explorerTableList.some((each) => each === table),
  )
  return Object.fromEntries(
    compared.map((table) => [table.name, [...view.rows(table)].map(([key, row]) => [table.key.toText(key), row] as const)]),
  )
}
