import { beforeAll, expect, test } from "vitest"
import { acceptAll, type GoldenChain, goldenSource, openGolden } from "../../../test/fixtures/goldenChain.js"
import { bls } from "../../platform/backends.js"
import { Diff } from "../state/diff.js"
import type { AnyPrimaryTable } from "../state/table.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { faultsInBlocks } from "./faultsInBlocks.js"
import { faultsInState } from "./faultsInState.js"

let golden: GoldenChain

beforeAll(() => {
  golden = openGolden(goldenSource("helicon-v1.15.0"))
  acceptAll(golden.chain, golden.blocks.slice(1))
  golden.chain.flush()
})

const faultsIn = (view: View): string[] =>
  [...faultsInBlocks(view, golden.blocks[0]!.id), ...faultsInState(view, bls())].filter((fault) => fault !== undefined)

/** The tables whose first row cannot be missing or have other contents, because other tables say the same. */
const compared = [
  ...[tables.lastAccepted, tables.blocks, tables.blockIDs, tables.txs, tables.subnetOwners],
  ...[tables.conversions, tables.currentStakers, tables.currentValidators, tables.currentDelegators, tables.renewals],
  ...[
    tables.l1Validators,
    tables.activeL1Validators,
    tables.activeL1Count,
    tables.l1ValidationIDs,
    tables.l1Weights,
    tables.members,
  ],
] as AnyPrimaryTable[]

test("a recorded chain has none", () => {
  expect(faultsIn(golden.store.latest)).toEqual([])
})

test.each(compared.map((table) => ({ name: table.name, table })))("a missing row of $name is found", ({ table }) => {
  const diff = new Diff(golden.store.latest)
  const [key] = diff.first(table)!
  diff.delete(table, key)
  expect(faultsIn(diff)).not.toEqual([])
})

test.each([
  [
    "the time of a staker's end",
    tables.currentStakers,
    (row) => ({ ...row, endTime: row.endTime + 1n }),
    /^currentStakers and current\w+ differ at /,
  ],
  [
    "a staker's weight",
    tables.currentValidators,
    (row) => ({ ...row, weight: 1n }),
    /^currentStakers and currentValidators differ at /,
  ],
  ["a UTXO's index", tables.utxos, (row) => ({ ...row, outputIndex: 9 }), /^utxos has \w+, which is the ID of another UTXO$/],
  ["a transaction's status", tables.txs, (row) => ({ ...row, status: 9 }), /^transaction \w+ has the status 9$/],
  ["a transaction's height", tables.txs, (row) => ({ ...row, height: row.height + 2n }), /transactions? /],
  ["the time of the chain", tables.timestamp, () => 1n << 63n, /^the time of the last block is after the year 9999$/],
  [
    "an L1 validator's weight",
    tables.l1Validators,
    (row) => ({ ...row, weight: row.weight + 1n }),
    /^the validators of the L1 \w+ do not weigh /,
  ],
  [
    "a member's key",
    tables.members,
    (row) => ({ ...row, publicKey: row.publicKey.toReversed() }),
    /^the member NodeID-\w+ of \w+ is not its validators$/,
  ],
  [
    "a change of a weight",
    tables.weightDiffs,
    () => ({ decrease: false, amount: 1n << 63n }),
    /^the weight of NodeID-\w+ before block \d+ is /,
  ],
  [
    "what a validator restaked",
    tables.renewals,
    (row) => ({ ...row, accruedValidationRewards: 1n << 40n }),
    /^the staker of \w+ is not the one that its transaction added$/,
  ],
  // biome-ignore lint/suspicious/noExplicitAny: each change knows the rows of its own table.
] as readonly (readonly [string, AnyPrimaryTable, (row: any) => unknown, RegExp])[])(
  "a change of %s is found",
  (_, table, change, fault) => {
    const diff = new Diff(golden.store.latest)
    const [key, row] = diff.first(table)!
    diff.put(table, key, change(row))
    expect(faultsIn(diff)).toContainEqual(expect.stringMatching(fault))
  },
)
