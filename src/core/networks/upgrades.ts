import { ceilSeconds, SECOND } from "../lib/go/goDuration.js"
import { printRfc3339 } from "../lib/go/rfc3339.js"
import { EMPTY_ID, type ID } from "../types/id.js"
import { networkError } from "./errors.js"

/** Every upgrade in the order of activation, named as the JSON keys without `Time`. */
export const upgradeNames = [
  "apricotPhase1",
  "apricotPhase2",
  "apricotPhase3",
  "apricotPhase4",
  "apricotPhase5",
  "apricotPhasePre6",
  "apricotPhase6",
  "apricotPhasePost6",
  "banff",
  "cortina",
  "durango",
  "etna",
  "fortuna",
  "granite",
  "helicon",
] as const

/** The name of an upgrade of the network, such as `helicon`. */
export type UpgradeName = (typeof upgradeNames)[number]

/** Activation times, in Unix seconds. A time with a fraction is rounded up, because a whole-second time reaches 5.2 at 6. */
export type UpgradeTimes = Readonly<Record<UpgradeName, bigint>>

/** The activation times of a network's upgrades, and the few numbers that came with them. */
export interface Upgrades {
  readonly times: UpgradeTimes
  /** For times with a fraction of a second, by how many nanoseconds `times` rounds them up. */
  readonly roundedUpBy?: Readonly<Partial<UpgradeTimes>>
  /** The minimum P-Chain height by which proposers are chosen since ApricotPhase4. */
  readonly apricotPhase4MinPChainHeight: bigint
  /** The last vertex of the X-Chain's graph, at Cortina. */
  readonly cortinaXChainStopVertexID: ID
  /** The length of an ACP-181 epoch, in nanoseconds as in the JSON. */
  readonly graniteEpochDuration: bigint
}

/** 2020-12-05T05:00:00Z, the activation time of all upgrades without a schedule. */
const INITIALLY_ACTIVE = 1_607_144_400n

/** 9999-12-01T00:00:00Z, which means that an upgrade is not scheduled. */
export const UNSCHEDULED = 253_399_622_400n

/** 0001-01-01T00:00:00Z, Go's zero time, which a missing time of a schedule has. The upgrade is active from the beginning. */
export const YEAR_1 = -62_135_596_800n

/** Returns whether an upgrade is active at a chain time (Unix seconds). It is from its activation time on. */
export function isActive(upgrades: Upgrades, name: UpgradeName, time: bigint): boolean {
  return time >= upgrades.times[name]
}

/** Returns the activation time of an upgrade with its fraction of a second, Unix nanoseconds. */
export function exactTimeOf({ times, roundedUpBy }: Pick<Upgrades, "times" | "roundedUpBy">, name: UpgradeName): bigint {
  return times[name] * SECOND - (roundedUpBy?.[name] ?? 0n)
}

/** Returns the epoch's length in seconds, rounded up, which is exact for comparing whole-second times. */
export function epochSecondsOf(upgrades: Upgrades): bigint {
  return ceilSeconds(upgrades.graniteEpochDuration)
}

/** Returns the schedule of a private chain: everything up to and including this upgrade is active from genesis, the rest is unscheduled. */
export function upTo(name: UpgradeName): Upgrades {
  const last = upgradeNames.indexOf(name)
  const times = upgradeNames.map((upgrade, index) => [upgrade, index <= last ? INITIALLY_ACTIVE : UNSCHEDULED])
  return {
    times: Object.fromEntries(times) as UpgradeTimes,
    apricotPhase4MinPChainHeight: 0n,
    cortinaXChainStopVertexID: EMPTY_ID,
    graniteEpochDuration: 30n * SECOND,
  }
}

/**
 * The schedule of every network without one of its own, as in the reference release: Granite's rules from the start, Helicon never. From v1.15.1
 * on AvalancheGo's local network has Helicon from the start, too.
 */
export const defaultUpgrades: Upgrades = upTo("granite")

/** The default schedule of a new private chain: the rules that Mainnet has today. */
export const privateChainUpgrades: Upgrades = upTo("helicon")

/** Returns the upgrade that a text names, in any letter case (`--upgrade`). Throws `network.unknown_upgrade`. */
export function requireUpgradeName(text: string): UpgradeName {
  const name = upgradeNames.find((upgrade) => upgrade.toLowerCase() === text.toLowerCase())
  if (name === undefined) throw networkError("network.unknown_upgrade", { text, known: upgradeNames })
  return name
}

/**
 * Describes the rules that a schedule puts in force at a chain time (Unix seconds), and the next upgrade: `Granite, Helicon is not
 * scheduled`.
 */
export function rulesInForce(upgrades: Upgrades, time: bigint): string {
  const next = upgradeNames.find((name) => !isActive(upgrades, name, time))
  const last = upgradeNames[(next === undefined ? upgradeNames.length : upgradeNames.indexOf(next)) - 1]
  const active = last === undefined ? "none of the upgrades" : titleOf(last)
  if (next === undefined) return active
  const activation = upgrades.times[next]
  return `${active}, ${titleOf(next)} ${activation === UNSCHEDULED ? "is not scheduled" : `from ${printRfc3339(activation)}`}`
}

/** Returns an upgrade's name with a capital: `Granite`, `ApricotPhasePre6`. */
const titleOf = (name: UpgradeName): string => name.charAt(0).toUpperCase() + name.slice(1)
