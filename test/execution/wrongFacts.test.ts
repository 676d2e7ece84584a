import { expect, test } from "vitest"
import { faultsInFacts } from "../../src/core/readmodel/faultsInFacts.js"
import { Diff } from "../../src/core/state/diff.js"
import type { Fact, FactOf } from "../../src/core/state/facts.js"
import { tables } from "../../src/core/state/tables.js"
import { idOfByte } from "../fixtures/txs.js"
import { Random } from "../fuzz/random.js"
import { privateEras } from "./random/eras.js"
import { PrivateRandomChain } from "./random/privateChain.js"

const [, upgrades, shapes] = privateEras.at(-1)!
const made = new PrivateRandomChain(new Random(7), upgrades, shapes)
await made.grow(80, () => {})
const { latest } = made.chain.store

/** Puts another fact in the place of the first of a kind, or none, and returns the first fault. */
function faultWith<K extends Fact["kind"]>(
  kind: K,
  change: (fact: FactOf<K>) => Fact[],
  isIt: (fact: FactOf<K>) => boolean = () => true,
): string | undefined {
  for (const [height, facts] of latest.rows(tables.facts)) {
    const at = facts.findIndex((fact) => fact.kind === kind && isIt(fact as FactOf<K>))
    if (at === -1) continue
    const diff = new Diff(latest)
    diff.put(tables.facts, height, facts.toSpliced(at, 1, ...change(facts[at] as FactOf<K>)))
    const fault = [...faultsInFacts(diff)].find((each) => each !== undefined)
    expect(change(facts[at] as FactOf<K>).length === 0 || fault?.startsWith(`facts has under ${height} {`)).toBe(true)
    return fault?.replace(/^.*\}, and /, "")
  }
  throw new Error(`the chain has no such fact: ${kind}`)
}

test("the facts of a chain contradict nothing", () => {
  expect([...faultsInFacts(latest)].filter((fault) => fault !== undefined)).toEqual([])
})

const unknown = idOfByte(0x99)

test.each<[string, () => string | undefined, string]>([
  [
    "a departure with another reason",
    () =>
      faultWith(
        "departure",
        (fact) => [{ ...fact, reason: 1 }],
        ({ reason }) => reason === 0,
      ),
    "its transaction ends it with the reason 0",
  ],
  ["a departure of nobody", () => faultWith("departure", (fact) => [{ ...fact, stakerID: unknown }]), "there was no such staker"],
  ["a departure that happened twice", () => faultWith("departure", (fact) => [fact, fact]), "it left before"],
  [
    "a reward that was not paid",
    () => faultWith("reward", (fact) => [{ ...fact, outputIndex: 77 }]),
    "rewardUtxos has no such reward",
  ],
  [
    "a reward of another kind",
    () =>
      faultWith(
        "reward",
        (fact) => [{ ...fact, rewardKind: 1 - fact.rewardKind }],
        ({ rewardKind }) => rewardKind < 2,
      ),
    "its staker gets the kind ",
  ],
  [
    "a reward of another staker",
    () => faultWith("reward", (fact) => [{ ...fact, txID: unknown }]),
    "its transaction pays rewards of ",
  ],
  [
    "a reward that is missing",
    () => faultWith("reward", () => []),
    "facts and rewardUtxos do not have the same number of rewards: facts has 1 fewer",
  ],
  [
    "a run-out in a transaction",
    () => faultWith("runOut", (fact) => [{ ...fact, step: 1 }]),
    "a balance is used up before the transactions or after them",
  ],
  [
    "a run-out of nobody",
    () => faultWith("runOut", (fact) => [{ ...fact, validationID: unknown }]),
    "there was no such L1 validator",
  ],
  [
    "a refund of another output",
    () => faultWith("refund", (fact) => [{ ...fact, utxo: { ...fact.utxo, outputIndex: 88 } }]),
    "the refund of ",
  ],
])("%s is found", (_, fault, due) => {
  expect(fault()).toContain(due)
})
