import { type FlagValue, readFlagValue } from "../core/networks/flagValue.js"
import { local } from "../core/networks/local.js"
import { parseUpgradeFile } from "../core/networks/upgradeFile.js"
import { privateChainUpgrades } from "../core/networks/upgrades.js"
import { upgradesTextOf } from "../producer/snapshots/stateFile.js"
import type { ChainChoice, NewChainRules } from "./chainData.js"

const MIN = "min-stake-duration"
const HELICON_MIN = "helicon-min-stake-duration"

/** Gives a new private chain the rules of Mainnet today, or those of the dumped state that it starts from. */
export async function newChainRules(options: {
  readonly choice: Pick<ChainChoice, "ruleFlags">
  readonly loadState?: Uint8Array | undefined
}): Promise<NewChainRules> {
  const { loadState, choice } = options
  if (loadState !== undefined) return { upgrades: parseUpgradeFile(await upgradesTextOf(loadState)), ruleFlags: {} }
  return { upgrades: privateChainUpgrades, ruleFlags: shorterMinimum(choice.ruleFlags ?? {}) }
}

/**
 * Applies a short staking minimum to validators too, unless Helicon's own minimum is given: AvalancheGo has a second flag for it since
 * Helicon, and a value below Helicon's default then holds for both.
 */
function shorterMinimum(given: Readonly<Record<string, FlagValue>>): Readonly<Record<string, FlagValue>> {
  const asked = given[MIN]
  if (asked === undefined || given[HELICON_MIN] !== undefined || !isBelowHelicon(asked)) return {}
  return { [HELICON_MIN]: asked }
}

/** Whether a text is a duration below Helicon's minimum; what is none is refused where flags are read. */
function isBelowHelicon(asked: FlagValue): boolean {
  try {
    const nanoseconds = readFlagValue("duration", asked)
    return nanoseconds !== undefined && nanoseconds > 0 && nanoseconds < local.params.staking.heliconMinStakeNanoseconds
  } catch {
    return false
  }
}
