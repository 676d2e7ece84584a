import { printRfc3339 } from "../lib/go/rfc3339.js"
import { isActive, UNSCHEDULED, type UpgradeName, type Upgrades, upgradeNames } from "./upgrades.js"

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
