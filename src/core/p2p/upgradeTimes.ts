import { floorSeconds, printGoDuration, SECOND } from "../lib/go/goDuration.js"
import { goTimeText } from "../lib/go/goTime.js"
import { printRfc3339 } from "../lib/go/rfc3339.js"
import type { Json } from "../lib/json.js"
import { min } from "../lib/math64.js"
import { exactTimeOf, type UpgradeName, type Upgrades, upgradeNames } from "../networks/upgrades.js"
import type { NodeID } from "../types/id.js"
import type { ClientVersion } from "./clientVersion.js"
import type { Peers } from "./peers.js"

/** The upgrade whose time each minor version of AvalancheGo announces: the newest that it knows. */
const announcedUpgrades: Readonly<Record<number, UpgradeName>> = { 14: "granite", 15: "helicon" }

/** The peers of a node, once it has any. */
type AnnouncingPeers = Pick<Peers, "status" | "validatorWeights"> | undefined

/** Returns the stake of each connected validator, its version, and the time that it announces. */
function announcementsOf(peers: AnnouncingPeers) {
  const weights = peers?.validatorWeights() ?? new Map<NodeID, bigint>()
  return (peers?.status() ?? []).flatMap(({ nodeID, description: { version, upgradeTime } }) => {
    const weight = weights.get(nodeID)
    // A time before 1970 is announced without its sign, and AvalancheGo reads it with one.
    return weight === undefined ? [] : [{ weight, version, time: BigInt.asIntN(64, upgradeTime) }]
  })
}

/** Returns the upgrade whose time a release announces in the handshake; `undefined` if it may know newer ones than this release. */
export function announcedUpgrade({ minor }: Pick<ClientVersion, "minor">): UpgradeName | undefined {
  return announcedUpgrades[minor]
}

/** Returns the time of an upgrade as nodes announce it, Unix seconds: a fraction is cut off. */
export const announcedTime = (upgrades: Upgrades, name: UpgradeName): bigint => floorSeconds(exactTimeOf(upgrades, name))

/**
 * Compares this node's upgrade times with those that connected validators announce. Returns the difference if validators with more than half
 * of the connected stake announce one and the same other time: blocks are then executed by other rules here than on the network.
 */
export function upgradeDifference(peers: AnnouncingPeers, upgrades: Upgrades) {
  let connected = 0n
  const others = new Map<string, { readonly upgrade: UpgradeName; readonly time: bigint; weight: bigint }>()
  for (const { weight, version, time } of announcementsOf(peers)) {
    connected += weight
    const upgrade = announcedUpgrade(version)
    if (upgrade === undefined) continue
    if (time === announcedTime(upgrades, upgrade)) continue
    const key = `${upgrade} ${time}`
    others.set(key, { upgrade, time, weight: weight + (others.get(key)?.weight ?? 0n) })
  }
  const other = [...others.values()].find(({ weight }) => 2n * weight > connected)
  if (!other) return undefined
  const { upgrade, time, weight } = other
  const local = announcedTime(upgrades, upgrade)
  // Of the connected stake.
  const stakePercentage = (100 * Number(weight)) / Number(connected)
  const facts = { upgrade, local: goTimeText(local), announced: goTimeText(time), stakePercentage }
  // From the earlier time on, a block is executed by different rules here and on the network.
  return { facts, from: min(local, time) }
}

/** Returns what is wrong where validators announce another time of an upgrade, and the way out. */
export function upgradeDifferenceText({ facts }: NonNullable<ReturnType<typeof upgradeDifference>>): string {
  const { upgrade, local, announced, stakePercentage } = facts
  const here = `the time of ${upgrade} is ${local} here`
  const there = `${announced} for ${stakePercentage.toFixed(1)}% of the connected stake`
  return `${here}, and ${there}: start with the network's --upgrade-file or --upgrade, and an empty --data-dir`
}

const HOUR = 3_600n
const DAY = 24n * HOUR
/** The longest duration of Go, nanoseconds. */
const LONGEST = (1n << 63n) - 1n

/**
 * Returns the report of the health check `futureupgrade`: whether validators with at least half of the stake announce an upgrade that this
 * version does not know. Throws if the upgrade is at most three days away. The texts are AvalancheGo's; `now` is Unix seconds. Unlike
 * AvalancheGo, it also throws if the validators announce another time of an upgrade that this version knows.
 */
export function futureUpgradeReport(peers: AnnouncingPeers, upgrades: Upgrades, now: bigint): Json {
  let total = 0n
  for (const weight of peers?.validatorWeights().values() ?? []) total += weight
  if (total === 0n) throw new Error("no validators in the current validator set")
  const difference = upgradeDifference(peers, upgrades)
  if (difference) throw new Error(upgradeDifferenceText(difference))
  const byTime = new Map<bigint, bigint>()
  for (const { weight, time } of announcementsOf(peers)) byTime.set(time, (byTime.get(time) ?? 0n) + weight)
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
