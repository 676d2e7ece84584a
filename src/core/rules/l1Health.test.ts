import { expect, test } from "vitest"
import { Random } from "../../../test/fuzz/random.js"
import type { L1FeeConfig } from "../networks/params.js"
import type { ID, NodeID } from "../types/id.js"
import { priceOf } from "./gas.js"
import { advanceExcess } from "./l1Fee.js"
import { forecastOf, healthOf, type L1FeeState, type L1Member, planUntil } from "./l1Health.js"

const SNOWMAN = { k: 20, alphaConfidence: 15 }
const config: L1FeeConfig = { capacity: 100n, target: 10n, minPrice: 3n, excessConversionConstant: 500n }

const member = (index: number, weight: bigint, endAccumulatedFee: bigint): L1Member => ({
  nodeID: index.toString(16).padStart(40, "0") as NodeID,
  validationID: index.toString(16).padStart(64, "0") as ID,
  weight,
  endAccumulatedFee,
})

/** The seconds in which validators become inactive and thresholds are lost, found second by second. */
function secondBySecond(members: readonly L1Member[], { active, accruedFees, ...state }: L1FeeState, seconds: number) {
  const ends = new Map<L1Member, bigint>()
  const [total, lost] = [members.reduce((sum, { weight }) => sum + weight, 0n), { warp: undefined, snowman: undefined } as Lost]
  for (let second = 0n, excess = state.excess, paid = accruedFees; second < BigInt(seconds); second++) {
    const next = advanceExcess(active, excess, config.target, 1n)
    const due = paid + priceOf(config, next)
    const time = state.time + second
    for (const each of members) if (isPaying(each, time) && !ends.has(each) && mustLeave(each, time, due)) ends.set(each, time)
    const left = members.filter((each) => isPaying(each, time) && !ends.has(each)).reduce((sum, { weight }) => sum + weight, 0n)
    if (left * 100n < total * 67n) lost.warp ??= time
    if (left * 20n < total * 15n) lost.snowman ??= time
    excess = next
    paid = due
  }
  return { ends, lost }
}

interface Lost {
  warp: bigint | undefined
  snowman: bigint | undefined
}

const isPaying = ({ endAccumulatedFee, endTime }: L1Member, time: bigint) =>
  endAccumulatedFee > 0n || (endTime !== undefined && endTime >= time)

const mustLeave = ({ endAccumulatedFee, endTime }: L1Member, time: bigint, due: bigint) =>
  endTime === undefined ? endAccumulatedFee < due : endTime <= time

test("balances end and thresholds are lost in the seconds that a walk second by second finds", () => {
  const random = new Random(77)
  for (let round = 0; round < 150; round++) {
    const state: L1FeeState = {
      config,
      active: BigInt(random.below(40)),
      excess: BigInt(random.below(2000)),
      accruedFees: BigInt(random.below(1000)),
      time: 1_000_000n,
    }
    const members = Array.from({ length: 1 + random.below(12) }, (_, i): L1Member => {
      const weight = BigInt(1 + random.below(30))
      if (random.below(6) === 0)
        return { ...member(i, weight, 0n), validationID: undefined, endTime: state.time + 1n + BigInt(random.below(300)) }
      return member(i, weight, random.below(5) === 0 ? 0n : state.accruedFees + 50n + BigInt(random.below(3000)))
    })
    const health = healthOf(members, forecastOf(state), SNOWMAN)
    const { ends, lost } = secondBySecond(members, state, 400)
    const known = (time: bigint | undefined) => (time !== undefined && time < state.time + 400n ? time : undefined)
    for (const { validator, endsAt } of health.validators) expect(known(endsAt)).toBe(ends.get(validator))
    for (const name of ["warp", "snowman"] as const) {
      const { isMet, lostAt } = health[name]
      expect(isMet ? known(lostAt) : state.time).toBe(lost[name])
    }
  }
})

test("after the top-ups of a plan both thresholds hold until its time, and without one of them they do not", () => {
  const random = new Random(78)
  for (let round = 0; round < 100; round++) {
    const state: L1FeeState = { config, active: 12n, excess: BigInt(random.below(900)), accruedFees: 0n, time: 1_000_000n }
    const members = Array.from({ length: 1 + random.below(10) }, (_, i) =>
      member(i, BigInt(1 + random.below(30)), random.below(3) === 0 ? 0n : 10n + BigInt(random.below(3000))),
    )
    const until = state.time + 1n + BigInt(random.below(400))
    const forecast = forecastOf(state)
    const { topUps = [] } = planUntil(healthOf(members, forecast, SNOWMAN), forecast, until) ?? {}
    const holds = (paid: typeof topUps) => {
      const amounts = new Map(paid.map(({ validator, amount }) => [validator, amount]))
      const after = members.map((each) => ({ ...each, endAccumulatedFee: each.endAccumulatedFee + (amounts.get(each) ?? 0n) }))
      const { warp, snowman } = healthOf(after, forecast, SNOWMAN)
      return [warp, snowman].every(({ isMet, lostAt }) => isMet && (lostAt === undefined || lostAt >= until))
    }
    expect(holds(topUps)).toBe(true)
    for (const left of topUps) expect(holds(topUps.filter((each) => each !== left))).toBe(false)
  }
})

test("a full network has no room for inactive validators", () => {
  const state: L1FeeState = { config: { ...config, capacity: 1n }, active: 1n, excess: 0n, accruedFees: 0n, time: 5n }
  const members = [member(1, 1n, 1_000n), member(2, 1n, 0n)]
  expect(planUntil(healthOf(members, forecastOf(state), SNOWMAN), forecastOf(state), 10n)).toBeUndefined()
})
