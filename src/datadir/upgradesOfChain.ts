import { printJson } from "../core/lib/json.js"
import { min } from "../core/lib/math64.js"
import { upgradesFor } from "../core/networks/index.js"
import { isProduction, networkNameOf } from "../core/networks/names.js"
import { parseUpgradeFile, upgradesJson } from "../core/networks/upgradeFile.js"
import { type UpgradeName, type Upgrades, upgradeNames } from "../core/networks/upgrades.js"
import { chainTimeOf } from "../core/rules/context.js"
import type { Store } from "../store/store.js"
import { nodeError } from "./errors.js"

/**
 * Returns the schedule of the chain in a store. A private chain has the one of its creation. Mainnet and Fuji have one schedule, which
 * grows with releases: their chains follow it, unless they passed an upgrade with the rules before it.
 */
export function upgradesOfChain(store: Store, networkID: number): Upgrades {
  const stored = storedUpgrades(store)
  return isProduction(networkID) && missedUpgrade(store, networkID) === undefined ? upgradesFor(networkID) : stored
}

/** Records the schedule with which a chain is extended. Throws `node.missed_upgrade` if it passed an upgrade with the rules before it. */
export function keepUpgrades(store: Store, networkID: number): void {
  if (!isProduction(networkID)) return
  const upgrade = missedUpgrade(store, networkID)
  if (upgrade !== undefined) throw nodeError("node.missed_upgrade", { network: networkNameOf(networkID), upgrade })
  const text = upgradesText(upgradesFor(networkID))
  if (store.getMeta("upgrades") !== text) store.putMeta({ upgrades: text })
}

/** Prints a schedule for the store. */
export const upgradesText = (upgrades: Upgrades): string => printJson(upgradesJson(upgrades))

function storedUpgrades(store: Store): Upgrades {
  const text = store.getMeta("upgrades")
  if (text === undefined) throw new Error("the store has a chain but no upgrades")
  return parseUpgradeFile(text)
}

/** Returns the first upgrade whose time the chain has reached and for which the store has another time than the network. */
function missedUpgrade(store: Store, networkID: number): UpgradeName | undefined {
  const [stored, own] = [storedUpgrades(store).times, upgradesFor(networkID).times]
  const chainTime = chainTimeOf(store.latest)
  return upgradeNames.find((name) => stored[name] !== own[name] && chainTime >= min(stored[name], own[name]))
}
