import { expect, test } from "vitest"
import { explorerTables } from "../../src/core/readmodel/explorer/tables.js"
import { readTables } from "../../src/core/readmodel/tables.js"
import { Diff } from "../../src/core/state/diff.js"
import type { Fact, FactOf } from "../../src/core/state/facts.js"
import type { AnyPrimaryTable } from "../../src/core/state/table.js"
import { tables } from "../../src/core/state/tables.js"
import type { View } from "../../src/core/state/view.js"
import type { ID } from "../../src/core/types/id.js"
import { faultsInFacts } from "../../src/datadir/faultsInFacts.js"
import { faultsInReadModel } from "../../src/datadir/faultsInReadModel.js"
import { idOfByte } from "../fixtures/txs.js"
import { Random } from "../fuzz/random.js"
import { privateEras } from "./random/eras.js"
import { PrivateRandomChain } from "./random/privateChain.js"

const [, upgrades, shapes] = privateEras.at(-1)!
const made = new PrivateRandomChain(new Random(7), upgrades, shapes)
await made.grow(200, () => {})
const { store } = made.chain
const { latest } = store

const faultsOf = (faults: Iterable<string | undefined>): string[] => [...faults].filter((fault) => fault !== undefined)

/** Puts other facts in the place of the first of a kind, and returns the first fault that is found, and the height of the fact. */
function faultWith<K extends Fact["kind"]>(
  kind: K,
  change: (fact: FactOf<K>) => Fact[],
  isIt: (fact: FactOf<K>) => boolean = () => true,
): { readonly height: bigint; readonly fault: string | undefined } {
  for (const [height, facts] of latest.rows(tables.facts)) {
    const at = facts.findIndex((fact) => fact.kind === kind && isIt(fact as FactOf<K>))
    if (at === -1) continue
    const diff = new Diff(latest)
    diff.put(tables.facts, height, facts.toSpliced(at, 1, ...change(facts[at] as FactOf<K>)))
    return { height, fault: faultsOf(faultsInFacts(diff, made.chain))[0] }
  }
  throw new Error(`the chain has no such fact: ${kind}`)
}

test("a chain contradicts nothing", () => {
  expect(faultsOf(faultsInReadModel(latest, made.chain))).toEqual([])
})

const unknown = idOfByte(0x99)
type Case = [string, () => ReturnType<typeof faultWith>, string]

test.each<Case>([
  [
    "a departure with another reason",
    () =>
      faultWith(
        "departure",
        (fact) => [{ ...fact, reason: 1 }],
        ({ reason }) => reason === 0,
      ),
    " leads to the departure of ",
  ],
  ["a departure of nobody", () => faultWith("departure", (fact) => [{ ...fact, stakerID: unknown }]), " leads to "],
  ["a departure that happened twice", () => faultWith("departure", (fact) => [fact, fact]), " leads to "],
  [
    "an end before its time",
    () =>
      faultWith(
        "departure",
        (fact) => [{ ...fact, step: 0 }],
        ({ reason }) => reason < 2,
      ),
    " has the time ",
  ],
  ["a fact of a step that is none", () => faultWith("departure", (fact) => [{ ...fact, step: 900 }]), " has no step 900"],
  ["a reward that was not paid", () => faultWith("reward", (fact) => [{ ...fact, outputIndex: 77 }]), " leads to "],
  [
    "a reward of another kind",
    () =>
      faultWith(
        "reward",
        (fact) => [{ ...fact, rewardKind: 1 - fact.rewardKind }],
        ({ rewardKind }) => rewardKind < 2,
      ),
    " leads to ",
  ],
  ["a reward of another staker", () => faultWith("reward", (fact) => [{ ...fact, txID: unknown }]), " leads to "],
  ["a run-out in a transaction", () => faultWith("runOut", (fact) => [{ ...fact, step: 1 }]), " leads to "],
  ["a run-out of nobody", () => faultWith("runOut", (fact) => [{ ...fact, validationID: unknown }]), " does not find it"],
  ["a run-out that happened twice", () => faultWith("runOut", (fact) => [fact, fact]), "it has no balance"],
  [
    "a refund of another output",
    () => faultWith("refund", (fact) => [{ ...fact, utxo: { ...fact.utxo, outputIndex: 88 } }]),
    " leads to the refund ",
  ],
])("%s is found", (_, change, due) => {
  const { height, fault } = change()
  expect(fault).toContain(`facts has under ${height} `)
  expect(fault).toContain(due)
})

test.each<Case>([
  [
    "a departure by a reward",
    () =>
      faultWith(
        "departure",
        () => [],
        ({ reason }) => reason < 2,
      ),
    " nothing about the departure of ",
  ],
  [
    "a removal",
    () =>
      faultWith(
        "departure",
        () => [],
        ({ reason }) => reason === 2,
      ),
    " nothing about the departure of ",
  ],
  ["a reward", () => faultWith("reward", () => []), " nothing about the reward "],
  ["a refund", () => faultWith("refund", () => []), " nothing about the refund "],
  [
    "an end",
    () =>
      faultWith(
        "departure",
        () => [],
        ({ reason }) => reason === 3,
      ),
    " nothing about the departure of ",
  ],
])("%s that is lost is found under the height of its block", (_, change, due) => {
  const { height, fault } = change()
  expect(fault).toContain(`facts has under ${height} nothing about `)
  expect(fault).toContain(due)
})

/** The stakers and the L1 validators that are there, and the table that has each. */
const present = [tables.currentStakers, tables.pendingStakers].flatMap((table) =>
  [...latest.rows(table)].map(([, { txID }]) => [table.name, txID] as const),
)

test("a departure of a staker that is there still, and a run-out of an active L1 validator, are named with their blocks", () => {
  const [[, stakerID] = []] = present
  const [validationID] = [...latest.rows(tables.l1Validators)].find(([, { endAccumulatedFee }]) => endAccumulatedFee > 0n) ?? []
  const height = [...latest.rows(tables.facts)].at(-1)![0]
  const said = (kind: "departure" | "runOut", id: ID): string[] => {
    const diff = new Diff(latest)
    const fact = kind === "departure" ? { kind, step: 0, stakerID: id, reason: 3 } : { kind, step: 0, validationID: id }
    diff.put(tables.facts, height, [...(latest.get(tables.facts, height) ?? []), fact as Fact])
    return faultsOf(faultsInFacts(diff, made.chain))
  }
  expect(said("departure", stakerID!)).toContainEqual(
    expect.stringMatching(new RegExp(`^facts has under ${height} \\{.*\\}, and (current|pending)Stakers has it still: \\{.*`)),
  )
  expect(said("runOut", validationID!)).toContainEqual(
    expect.stringMatching(new RegExp(`^facts has under ${height} \\{.*\\}, and l1Validators has it with the end \\d+$`)),
  )
})

test("a staker that no block added, and a reward that none paid, are named", () => {
  const unknown = idOfByte(0x99)
  const stakers = new Diff(latest)
  const [key, staker] = stakers.first(tables.currentStakers)!
  stakers.put(tables.currentStakers, { ...key, txID: unknown }, { ...staker, txID: unknown })
  expect(faultsOf(faultsInFacts(stakers, made.chain))).toEqual([
    expect.stringMatching(/^currentStakers has under \{.*\} \{.*\}, and the blocks gives no row, up to block \d+$/),
  ])
  const rewards = new Diff(latest)
  const [, reward] = rewards.first(tables.rewardUtxos)!
  rewards.put(tables.rewardUtxos, { txID: unknown, outputIndex: 5 }, reward)
  expect(faultsOf(faultsInFacts(rewards, made.chain))).toEqual([
    expect.stringMatching(/^rewardUtxos has under \{.*\} \{.*\}, and the blocks gives no row, (of|up to) block \d+$/),
  ])
})

test("a lost run-out and a lost end are named under the height at which they happened", () => {
  for (const [height, facts] of latest.rows(tables.facts)) {
    for (const [at, fact] of facts.entries()) {
      if (fact.kind !== "runOut" && (fact.kind !== "departure" || fact.reason !== 3)) continue
      const diff = new Diff(latest)
      diff.put(tables.facts, height, facts.toSpliced(at, 1))
      expect(faultsOf(faultsInFacts(diff, made.chain))[0]).toMatch(new RegExp(`^facts has under ${height} nothing about `))
    }
  }
})

test("every fact is found if it is lost", () => {
  const missed: unknown[] = []
  let lost = 0
  for (const [height, facts] of latest.rows(tables.facts)) {
    for (const [at, fact] of facts.entries()) {
      const diff = new Diff(latest)
      diff.put(tables.facts, height, facts.toSpliced(at, 1))
      lost++
      if (faultsOf(faultsInFacts(diff, made.chain)).length === 0) missed.push([height, fact])
    }
  }
  expect(missed).toEqual([])
  expect(lost).toBeGreaterThan(20)
})

/** Returns the first fault of a chain in which one row of a table is changed. */
function faultIn(table: AnyPrimaryTable, change: (diff: Diff, key: unknown, value: unknown) => void): string | undefined {
  const [first] = latest.rows(table)
  if (!first) throw new Error(`${table.name} has no row`)
  const diff = new Diff(latest)
  change(diff, ...first)
  return faultsOf(faultsInReadModel(diff as View, made.chain))[0]
}

/** Every table of the read model whose rows follow from one block or from the stakers. */
const compared = [
  ...[readTables.stakesByAddress, readTables.delegations, readTables.l1ValidatorTxs, readTables.subnetsInOrder],
  ...[readTables.chainsInOrder, readTables.blockTimes, readTables.txsByAddress, readTables.rewardsByAddress],
  ...Object.values(explorerTables).filter((table) => table !== explorerTables.progress && table !== explorerTables.pastBalances),
] as readonly AnyPrimaryTable[]

test.each(compared.map((table) => ({ name: table.name, table })))("a lost row of $name is found", ({ name, table }) => {
  const fault = faultIn(table, (diff, key) => diff.delete(table, key))
  expect(fault).toMatch(
    new RegExp(
      `^${name} has under .* no row, and (block|the stakers|an output without a transaction).* gives .*, (of|up to) block \\d+$`,
    ),
  )
})

test.each(compared.map((table) => ({ name: table.name, table })))(
  "a row of $name that nothing makes is named",
  ({ name, table }) => {
    const fault = faultIn(table, (diff, key, value) => {
      const text = table.key.toText(key)
      const last = table === readTables.blockTimes ? "00ff" : text.endsWith("f") ? "e" : "f"
      diff.put(table, table.key.fromText(`${text.slice(0, -last.length)}${last}`), value)
    })
    expect(fault).toMatch(
      new RegExp(`^${name} has under .* .*, and (the chain|the stakers) gives no row, (of|up to) block \\d+$`),
    )
  },
)

test("an unspent output that is not the one of its transaction is found, and a row that nothing makes", () => {
  expect(
    faultIn(tables.utxos, (diff, key, value) =>
      diff.put(tables.utxos, key as never, { ...(value as object), assetID: unknown } as never),
    ),
  ).toMatch(/^utxos has under \w+ \{.*\}, and the transaction that made it gives \{.*\}, (of|up to) block \d+$/)
  expect(faultIn(readTables.blockTimes, (diff) => diff.put(readTables.blockTimes, 99_999n, 1n))).toMatch(
    /^blockTimes has under 99999 1, and the chain gives no row, of block 99999$/,
  )
})
