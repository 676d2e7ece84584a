import { expect } from "vitest"
import { toHex } from "../../src/core/lib/bytes.js"
import { isActiveL1 } from "../../src/core/state/l1Validators.js"
import { isValidator, type Staker } from "../../src/core/state/staker.js"
import type { AnyPrimaryTable, AnyTable } from "../../src/core/state/table.js"
import { allTables, tables } from "../../src/core/state/tables.js"
import type { IndexedView, View } from "../../src/core/state/view.js"
import { acceptedTx, stakerInfoOf } from "../../src/core/txs/execute.js"
import { EMPTY_NODE_ID, type ID, type NodeID, PRIMARY_NETWORK_ID } from "../../src/core/types/id.js"
import { bls } from "../../src/platform/backends.js"

/** Checks that tables with the same facts in another order agree. */
export function expectAgreement(view: View): void {
  expectStakers(view, "current")
  expectStakers(view, "pending")
  expectRenewals(view)
  expectL1Validators(view)
  expect(membersIn(view)).toEqual(membersCounted(view))
}

/** Checks that every index has exactly the entries that follow from the rows of its table. */
export function expectIndexes(view: IndexedView): void {
  for (const table of allTables) {
    for (const index of table.indexes) {
      const expected = [...view.rows(table)].flatMap(([key, value]) => [...index.keysOf(table.key.toText(key), value as never)])
      expect([index.table.name, keysOf(view, index.table)]).toEqual([index.table.name, expected.sort()])
    }
  }
}

const keysOf = (view: View, table: AnyTable): string[] =>
  [...view.rows(table as AnyPrimaryTable)].map(([key]) => table.key.toText(key))

function expectStakers(view: View, set: "current" | "pending"): void {
  const [inOrder, validators, delegators] =
    set === "current"
      ? [tables.currentStakers, tables.currentValidators, tables.currentDelegators]
      : [tables.pendingStakers, tables.pendingValidators, tables.pendingDelegators]
  const stakers = [...view.rows(inOrder)].map(([key, staker]) => {
    expect(inOrder.key.toText(key)).toBe(inOrder.key.toText(staker))
    return staker
  })
  const byID = (rows: Iterable<Staker>) => [...rows].sort((a, b) => (a.txID < b.txID ? -1 : 1))
  const values = (table: typeof validators | typeof delegators) =>
    [...view.rows(table as never)].map(([, staker]) => staker as Staker)
  expect(byID(values(validators))).toEqual(byID(stakers.filter(({ priority }) => isValidator(priority))))
  expect(byID(values(delegators))).toEqual(byID(stakers.filter(({ priority }) => !isValidator(priority))))
  for (const { nextTime, startTime, endTime } of stakers) expect(nextTime).toBe(set === "current" ? endTime : startTime)
}

/** An auto-renewed validator weighs its stake and its restaked rewards. */
function expectRenewals(view: View): void {
  for (const [key, { accruedValidationRewards, accruedDelegateeRewards }] of view.rows(tables.renewals)) {
    const { txID, weight } = view.get(tables.currentValidators, key)!
    const staked = stakerInfoOf(acceptedTx(view, txID)!.unsignedTx)!.weight
    expect([txID, weight]).toEqual([txID, staked + accruedValidationRewards + accruedDelegateeRewards])
  }
}

function expectL1Validators(view: View): void {
  const active: string[] = []
  const weights = new Map<ID, bigint>()
  const validationIDs: [string, ID][] = []
  for (const [validationID, validator] of view.rows(tables.l1Validators)) {
    const { subnetID, weight, endAccumulatedFee } = validator
    if (isActiveL1(validator)) active.push(tables.activeL1Validators.key.toText({ endAccumulatedFee, validationID }))
    weights.set(subnetID, (weights.get(subnetID) ?? 0n) + weight)
    validationIDs.push([tables.l1ValidationIDs.key.toText(validator), validationID])
    expect(weight).toBeGreaterThan(0n)
  }
  expect(keysOf(view, tables.activeL1Validators)).toEqual(active.sort())
  expect(view.get(tables.activeL1Count, null) ?? 0n).toBe(BigInt(active.length))
  const stored = [...view.rows(tables.l1Weights)].filter(([, weight]) => weight > 0n)
  expect(new Map(stored)).toEqual(weights)
  const byNode = [...view.rows(tables.l1ValidationIDs)].map(([key, id]) => [tables.l1ValidationIDs.key.toText(key), id])
  expect(byNode).toEqual(validationIDs.sort())
}

type Members = Record<string, { weight: bigint; publicKey: string }>

function membersIn(view: View): Members {
  const members: Members = {}
  for (const [key, { weight, publicKey }] of view.rows(tables.members)) {
    members[key.subnetID + key.nodeID] = { weight, publicKey: publicKey ? toHex(publicKey) : "" }
  }
  return members
}

/** Counts the validator sets from the stakers and L1 validators alone. */
function membersCounted(view: View): Members {
  const members: Members = {}
  const add = (subnetID: ID, nodeID: NodeID, weight: bigint, publicKey: string) => {
    members[subnetID + nodeID] = { weight: (members[subnetID + nodeID]?.weight ?? 0n) + weight, publicKey }
  }
  for (const [, { subnetID, nodeID, weight }] of view.rows(tables.currentStakers)) {
    const primary = view.get(tables.currentValidators, { subnetID: PRIMARY_NETWORK_ID, nodeID })
    add(subnetID, nodeID, weight, primary?.publicKey ? toHex(bls().decompressKey(primary.publicKey)) : "")
  }
  for (const [, validator] of view.rows(tables.l1Validators)) {
    const { subnetID, nodeID, weight, publicKey } = validator
    if (isActiveL1(validator)) add(subnetID, nodeID, weight, toHex(publicKey))
    else add(subnetID, EMPTY_NODE_ID, weight, "")
  }
  return members
}
