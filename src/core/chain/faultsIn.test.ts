import { beforeAll, expect, test } from "vitest"
import { acceptAll, type GoldenChain, goldenSource, openGolden } from "../../../test/fixtures/goldenChain.js"
import { idOfByte } from "../../../test/fixtures/txs.js"
import { bls } from "../../platform/backends.js"
import { Diff } from "../state/diff.js"
import type { AnyPrimaryTable } from "../state/table.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { PRIMARY_NETWORK_ID } from "../types/id.js"
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

/** Matches a sentence with the table, the key, both values and the block. */
const sentence = (table: string, key: string, kept: string, source: string, due: string): RegExp =>
  new RegExp(`^${table} has under ${key} ${kept}, and ${source} gives ${due}, (of|up to) block \\d+$`)

// biome-ignore lint/suspicious/noExplicitAny: each change knows the rows of its own table.
type Change = (diff: Diff, key: any, row: any) => void
type Case = readonly [what: string, table: AnyPrimaryTable, change: Change, fault: RegExp]
const replaced =
  (table: AnyPrimaryTable, by: (row: never) => unknown): Change =>
  (diff, key, row) =>
    diff.put(table, key, by(row as never))
// biome-ignore lint/suspicious/noExplicitAny: the rows of any table
const row = (table: any, what: string, by: (row: any) => unknown, ...fault: Parameters<typeof sentence>): Case => [
  what,
  table,
  replaced(table, by),
  sentence(...fault),
]
const lost = (table: AnyPrimaryTable, ...fault: Parameters<typeof sentence>): Case => [
  `a lost row of ${table.name}`,
  table,
  (diff, key) => diff.delete(table, key),
  sentence(...fault),
]
// biome-ignore lint/suspicious/noExplicitAny: the rows of any table
const added = (table: any, key: unknown, value: unknown, ...fault: Parameters<typeof sentence>): Case => [
  `a row of ${table.name} that nothing has made`,
  tables.blockIDs,
  (diff) => diff.put(table, key, value),
  sentence(...fault),
]

/** The bytes of a transaction that is not the first. */
const otherTx = () => [...golden.store.latest.rows(tables.txs)][1]![1].bytes

const unknown = idOfByte(0x99)
const place = { subnetID: unknown, nodeID: "77".repeat(20) }
const VALUE = ".+"
const output = { kind: "TransferOutput", amount: 1n, locktime: 0n, threshold: 0, addresses: [] }
const { lastAccepted, blockIDs, blocks, txs, timestamp, supplies, utxos, untracedOutputs, atomicUtxos, rewardUtxos } = tables

const cases: readonly Case[] = [
  lost(lastAccepted, "lastAccepted", "its only key", "no row", "every chain", "its last block"),
  row(
    lastAccepted,
    "the last block",
    (last) => ({ ...last, id: unknown }),
    "lastAccepted",
    "its only key",
    VALUE,
    "blockIDs",
    VALUE,
  ),
  lost(blockIDs, "blockIDs", "0", "no row", "lastAccepted", "a block of this height"),
  row(blockIDs, "genesis", () => golden.blocks[1]!.id, "blocks", "\\w+", VALUE, "blockIDs under 0", "another height than 1"),
  added(blockIDs, 9_999n, unknown, "blockIDs", "9999", VALUE, "lastAccepted", "no row"),
  row(blocks, "a block", (bytes) => bytes.toReversed(), "blocks", "\\w+", VALUE, "their hash", "the block \\w+"),
  added(blocks, unknown, Buffer.from("none"), "blocks", unknown, VALUE, "blockIDs", "no row"),
  lost(txs, "txs", "\\w+", "no row", "block \\d+", "its bytes, with a height from \\d+ to \\d+"),
  row(txs, "a status", (tx) => ({ ...tx, status: 9 }), "txs", "\\w+", VALUE, "every block", "the status 4 or 5"),
  row(
    txs,
    "a height",
    (tx) => ({ ...tx, height: tx.height + 2n }),
    "txs",
    "\\w+",
    VALUE,
    "the blocks",
    "(the height of block .*|no row)",
  ),
  row(
    txs,
    "bytes",
    (tx) => ({ ...tx, bytes: otherTx() }),
    "txs",
    "\\w+",
    VALUE,
    "the hash of its bytes",
    "\\w+, if that is a transaction",
  ),
  added(txs, unknown, { status: 4, height: 1n, bytes: Buffer.alloc(1) }, "txs", unknown, VALUE, "the blocks", "no row"),
  row(timestamp, "the time", (time) => time + 1n, "timestamp", "its only key", VALUE, "block \\d+", VALUE),
  row(timestamp, "the year", () => 1n << 63n, "timestamp", "its only key", VALUE, "every chain", "a time up to the year 9999"),
  [
    "a lost supply",
    supplies as AnyPrimaryTable,
    (diff) => diff.delete(supplies, PRIMARY_NETWORK_ID),
    sentence("supplies", "\\w+", "no row", "every chain", "the supply of AVAX"),
  ],
  row(
    utxos,
    "an index",
    (utxo) => ({ ...utxo, outputIndex: 9 }),
    "utxos",
    "\\w+",
    VALUE,
    "its transaction and index",
    "the key \\w+",
  ),
  row(
    untracedOutputs,
    "an index of an output without a transaction",
    (each) => ({ ...each, utxo: { ...each.utxo, outputIndex: 9 } }),
    ...(["untracedOutputs", "\\w+", VALUE, "its transaction and index", "the key \\w+"] as const),
  ),
  added(
    atomicUtxos,
    { receiver: unknown, sender: unknown, utxoID: unknown },
    { value: Buffer.alloc(3), traits: [] },
    ...(["atomicUtxos", "\\{.*\\}", VALUE, "its value", "no UTXO"] as const),
  ),
  added(
    rewardUtxos,
    { txID: unknown, outputIndex: 0 },
    { txID: unknown, outputIndex: 0, assetID: unknown, output },
    "rewardUtxos",
    "\\{.*\\}",
    VALUE,
    "txs",
    "no row",
  ),
  added(tables.supplies, unknown, 1n, "supplies", unknown, VALUE, "subnets", "no row"),
  added(tables.subnets, unknown, null, "subnets", unknown, "a row", "txs", "no row"),
  lost(tables.subnetOwners, "subnetOwners", "\\w+", "no row", "subnets", "its owner"),
  added(
    tables.chains,
    unknown,
    { subnetID: unknown, chainName: "", vmID: unknown },
    "chains",
    unknown,
    VALUE,
    "subnets",
    "no row",
  ),
  row(
    tables.currentStakers,
    "the end of a staker",
    (each) => ({ ...each, endTime: each.endTime + 1n }),
    "current\\w+",
    VALUE,
    VALUE,
    "currentStakers",
    VALUE,
  ),
  row(
    tables.currentStakers,
    "its next time",
    (each) => ({ ...each, nextTime: each.nextTime + 1n }),
    "currentStakers",
    VALUE,
    VALUE,
    "its term",
    "the next time \\d+, up to \\d+",
  ),
  row(
    tables.currentValidators,
    "a weight of a validator",
    (each) => ({ ...each, weight: 1n }),
    "currentValidators",
    VALUE,
    VALUE,
    "currentStakers",
    VALUE,
  ),
  [
    "a validator that is no staker",
    tables.currentValidators as AnyPrimaryTable,
    (diff, _, each) => diff.put(tables.currentValidators, place as never, { ...each, ...place }),
    sentence("currentValidators", VALUE, VALUE, "currentStakers", "no row"),
  ],
  row(
    tables.renewals,
    "what a validator restaked",
    (each) => ({ ...each, accruedValidationRewards: 1n << 40n }),
    "currentStakers",
    VALUE,
    VALUE,
    "transaction \\w+",
    "a validator NodeID-\\w+ of \\w+ with the weight \\d+, and \\d+ that it restaked",
  ),
  added(tables.delegateeRewards, place, 5n, "delegateeRewards", VALUE, VALUE, "currentValidators", "no row"),
  [
    "a renewal of nobody",
    tables.renewals as AnyPrimaryTable,
    (diff, _, each) => diff.put(tables.renewals, place as never, each),
    sentence("renewals", VALUE, VALUE, "currentValidators", "no row"),
  ],
  row(
    tables.l1Validators,
    "the weight of an L1 validator",
    (each) => ({ ...each, weight: each.weight + 1n }),
    "l1Weights",
    "\\w+",
    VALUE,
    "l1Validators",
    VALUE,
  ),
  row(
    tables.l1Validators,
    "no weight",
    (each) => ({ ...each, weight: 0n }),
    "l1Validators",
    "\\w+",
    VALUE,
    "every L1 validator",
    "a weight",
  ),
  row(tables.accruedFees, "the fees", () => 1n << 62n, "l1Validators", "\\w+", VALUE, "accruedFees", "an end after \\d+"),
  lost(tables.conversions, "conversions", "\\w+", "no row", "l1Validators under \\w+", "the conversion of its subnet"),
  lost(tables.l1ValidationIDs, "l1ValidationIDs", VALUE, "no row", "l1Validators under \\w+", VALUE),
  added(tables.l1ValidationIDs, place, unknown, "l1ValidationIDs", VALUE, VALUE, "l1Validators", "no row"),
  lost(tables.activeL1Validators, "activeL1Validators", VALUE, "no row", "l1Validators under \\w+", "a row"),
  added(
    tables.activeL1Validators,
    { endAccumulatedFee: 3n, validationID: unknown },
    null,
    "activeL1Validators",
    VALUE,
    "a row",
    "l1Validators",
    "no row",
  ),
  lost(tables.activeL1Count, "activeL1Count", "its only key", "no row", "l1Validators", VALUE),
  lost(tables.l1Weights, "l1Weights", "\\w+", "no row", "l1Validators", VALUE),
  row(
    tables.members,
    "the key of a member",
    (each) => ({ ...each, publicKey: each.publicKey.toReversed() }),
    "members",
    VALUE,
    VALUE,
    "its validators",
    VALUE,
  ),
  lost(tables.members, "members", VALUE, "no row", "its validators", VALUE),
  added(tables.members, place, { weight: 1n, publicKey: undefined }, "members", VALUE, VALUE, "its validators", "no row"),
  row(
    tables.weightDiffs,
    "a change of a weight",
    () => ({ decrease: false, amount: 1n << 63n }),
    "weightDiffs",
    VALUE,
    VALUE,
    "members",
    "a weight of -?\\d+ before block \\d+, up to block \\d+",
  ),
]

test.each(cases)("%s is named with its table, its key, both values and its block", (_, table, change, fault) => {
  const diff = new Diff(golden.store.latest)
  const [key, value] = diff.first(table)!
  change(diff, key, value)
  const found = faultsIn(diff)
  expect(found).toContainEqual(expect.stringMatching(fault))
  expect(found.filter((each) => !/^\w+ has under .+, and .+ gives .+, (of|up to) block \d+$/.test(each))).toEqual([])
})
