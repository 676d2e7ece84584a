import { expect, test } from "vitest"
import { Random } from "../../../test/fuzz/random.js"
import { MAX_SEARCHED, planTopUps, type TopUpCandidate } from "./l1TopUps.js"

const sumOf = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
const weightOf = (some: readonly TopUpCandidate[]) => sumOf(some.map(({ weight }) => weight))

function randomCandidates(random: Random, count: number): TopUpCandidate[] {
  return Array.from({ length: count }, () => ({
    weight: BigInt(1 + random.below(20)),
    amount: BigInt(random.below(4) === 0 ? 0 : random.below(1000)),
  }))
}

/** The least cost and the fewest top-ups of all plans, found by trying each of them. */
function bestOfAll(candidates: readonly TopUpCandidate[], needed: bigint) {
  let best: { total: bigint; count: number } | undefined
  for (let mask = 0; mask < 1 << candidates.length; mask++) {
    const chosen = candidates.filter((_, i) => mask & (1 << i))
    const active = candidates.filter(({ amount }, i) => amount === 0n || mask & (1 << i))
    if (weightOf(active) < needed || chosen.some(({ amount }) => amount === 0n)) continue
    const [total, count] = [sumOf(chosen.map(({ amount }) => amount)), chosen.length]
    if (!best || total < best.total || (total === best.total && count < best.count)) best = { total, count }
  }
  return best
}

test("up to the limit no plan is cheaper, and none as cheap has fewer top-ups", () => {
  const random = new Random(49)
  for (let round = 0; round < 300; round++) {
    const candidates = randomCandidates(random, 1 + random.below(10))
    const needed = (weightOf(candidates) * BigInt(random.below(120))) / 100n
    const plan = planTopUps(candidates, needed)
    const best = bestOfAll(candidates, needed)
    expect(plan && { total: plan.total, count: plan.topUps.length, isCheapest: plan.isCheapest }).toEqual(
      best && { ...best, isCheapest: true },
    )
  }
})

test("beyond the limit a plan suffices, and none of its top-ups can be left out", () => {
  const random = new Random(50)
  for (let round = 0; round < 100; round++) {
    const candidates = randomCandidates(random, 40).map((each) => ({ ...each, amount: each.amount + 1n }))
    const needed = (weightOf(candidates) * BigInt(1 + random.below(100))) / 100n
    const plan = planTopUps(candidates, needed)
    const topUps = plan?.topUps ?? []
    expect(plan).toMatchObject({ isCheapest: false, total: sumOf(topUps.map(({ amount }) => amount)) })
    expect(weightOf(topUps) >= needed).toBe(true)
    expect(topUps.every(({ weight }) => weightOf(topUps) - weight < needed)).toBe(true)
  }
  expect(planTopUps(randomCandidates(random, MAX_SEARCHED), 1_000_000n)).toBeUndefined()
})
