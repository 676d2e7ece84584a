import { expect, test } from "vitest"
import { changingSets, changingSubnets } from "../../../../test/fixtures/changingSets.js"
import { compressKey } from "../../../core/crypto/compressKey.js"
import { eraOfSpells, plainNames } from "../../../core/readmodel/sets/eraOfSpells.js"
import { eraAround } from "../../../core/readmodel/sets/pastSets.js"
import { lastSetChange } from "../../../core/readmodel/sets/setChanges.js"
import { canonicalSet, type ValidatorSet } from "../../../core/rules/validatorSet.js"
import { toHexText } from "../../../core/types/hexText.js"
import { type NodeID, nodeIDText } from "../../../core/types/id.js"
import { printedCanonicalSet } from "./canonicalTexts.js"

const [subnetID] = changingSubnets

const printed = (...asked: Parameters<typeof printedCanonicalSet>): string | undefined => {
  const raw = printedCanonicalSet(...asked)
  return raw && Buffer.concat(raw.pieces).toString()
}

/** What the rules make of a set, as JSON. */
function expectedText(set: ValidatorSet): string | undefined {
  if (set.size === 0) return undefined
  const { signers, totalWeight } = canonicalSet(set)
  const validators = signers.map(({ publicKey, weight, nodeIDs }) => ({
    publicKey: toHexText(compressKey(publicKey), "hexnc"),
    weight: `${weight}`,
    nodeIDs: nodeIDs.map(nodeIDText).sort(),
  }))
  return JSON.stringify({ validators, totalWeight: `${totalWeight}` })
}

test("the signers of every height are those that messages are verified with; who shares a key signs as one", () => {
  const { store, remembered } = changingSets(600)
  const shared = new Set<number>()
  for (const [height, sets] of remembered.entries()) {
    const changed = lastSetChange(store.latest, subnetID, BigInt(height))
    if (changed === undefined) continue
    const set = sets.get(subnetID) as ValidatorSet
    expect([height, printed(eraAround(store.latest, subnetID, changed), BigInt(height))]).toEqual([height, expectedText(set)])
    for (const { nodeIDs } of set.size > 0 ? canonicalSet(set).signers : []) shared.add(nodeIDs.length)
  }
  expect(shared.size).toBeGreaterThan(2)
})

test("a set that is too heavy to be counted, or that nobody is in, is not told", () => {
  const weighing = (...weights: readonly bigint[]) => {
    const nodes = weights.map(
      (weight, i) => [`${i + 1}`.padStart(40, "0") as NodeID, [{ since: 5n, weight, publicKey: [] }]] as const,
    )
    return printed(eraOfSpells({ from: 5n, upTo: 5n }, nodes, plainNames), 5n)
  }
  const most = 2n ** 64n - 1n
  expect(weighing(most - 1n, 1n)).toBe(`{"validators":[],"totalWeight":"${most}"}`)
  expect([weighing(most, 1n), weighing(0n), weighing()]).toEqual([undefined, undefined, undefined])
})
