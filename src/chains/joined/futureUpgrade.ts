import { printGoDuration, SECOND } from "../../core/lib/go/goDuration.js"
import { printRfc3339 } from "../../core/lib/go/rfc3339.js"
import type { Json } from "../../core/lib/json.js"
import { min } from "../../core/lib/math64.js"
import { type Upgrades, upgradeNames } from "../../core/networks/upgrades.js"
import type { Peers } from "../../core/p2p/peers.js"
import { upgradeDifference } from "./upgradeTimes.js"

const HOUR = 3_600n
const DAY = 24n * HOUR
/** The longest duration of Go, nanoseconds. */
const LONGEST = (1n << 63n) - 1n

/**
 * Returns the report of the health check `futureupgrade`: whether validators with at least half of the stake announce an upgrade that this
 * version does not know. Throws if the upgrade is at most three days away. The texts are AvalancheGo's; `now` is Unix seconds. Unlike
 * AvalancheGo, it also throws if the validators announce another time of an upgrade that this version knows.
 */
export function futureUpgradeReport(
  peers: Pick<Peers, "status" | "validatorWeights"> | undefined,
  upgrades: Upgrades,
  now: bigint,
): Json {
  const weights = peers?.validatorWeights() ?? new Map()
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0n)
  if (total === 0n) throw new Error("no validators in the current validator set")
  const difference = upgradeDifference(peers, upgrades)
  if (difference) {
    const { upgrade, local, announced, stakePercentage } = difference
    const here = `the time of ${upgrade} is ${local} here`
    throw new Error(`${here}, and ${announced} for ${stakePercentage.toFixed(1)}% of the connected stake`)
  }
  const byTime = new Map<bigint, bigint>()
  for (const { nodeID, description } of peers?.status() ?? []) {
    const weight = weights.get(nodeID)
    // AvalancheGo reads the time with a sign.
    const announced = BigInt.asIntN(64, description.upgradeTime)
    if (weight !== undefined) byTime.set(announced, (byTime.get(announced) ?? 0n) + weight)
  }
  const [time, weight] = [...byTime].reduce((most, each) => (each[1] > most[1] ? each : most), [0n, 0n])
  const own = upgrades.times[upgradeNames.at(-1) as "helicon"]
  const result = {
    localUpgradeTime: printRfc3339(own),
    modeUpgradeTime: printRfc3339(time),
    modeUpgradeWeightPercentage: (100 * Number(weight)) / Number(total),
    numUpgradeTimes: byTime.size,
  }
  if (own >= time || 2n * weight < total) return result
  const left = time - now
  if (left <= HOUR) throw new Error("imminent network upgrade detected - update immediately")
  if (left <= DAY) throw new Error("unknown network upgrade detected - update as soon as possible")
  if (left <= 3n * DAY) throw new Error("unknown network upgrade detected")
  return { ...result, timeUntilUpgrade: printGoDuration(min(left * SECOND, LONGEST)) }
}
