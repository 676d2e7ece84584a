import type { ChainChoice, NewChainRules } from "../../chaindata/chainData.js"
import { type FlagValue, readFlagValue } from "../../core/networks/flagValue.js"
import { local } from "../../core/networks/local.js"
import { parseUpgradeFile } from "../../core/networks/upgradeFile.js"
import { privateChainUpgrades } from "../../core/networks/upgrades.js"
import { readDumpedChain } from "../../producer/snapshots/stateFile.js"

const MIN = "min-stake-duration"
const HELICON_MIN = "helicon-min-stake-duration"

/** Returns the rules of a new private chain: those of Mainnet today, or those of the dumped state from which it starts, with its ID. */
export async function newChainRules(options: {
  readonly choice: Pick<ChainChoice, "ruleFlags">
  readonly loadState?: Uint8Array | undefined
}): Promise<NewChainRules> {
  const { loadState, choice } = options
  if (loadState !== undefined) {
    const { upgradeText, id } = await readDumpedChain(loadState)
    return { upgrades: parseUpgradeFile(upgradeText), ruleFlags: {}, id }
  }
  return { upgrades: privateChainUpgrades, ruleFlags: shorterMinimum(choice.ruleFlags ?? {}) }
}

/**
 * Applies a short staking minimum to validators too, unless Helicon's own minimum is given. Since Helicon AvalancheGo has a second flag for
 * it, and a value below Helicon's default then applies to both.
 */
function shorterMinimum(given: Readonly<Record<string, FlagValue>>): Readonly<Record<string, FlagValue>> {
  const requested = given[MIN]
  if (requested === undefined || given[HELICON_MIN] !== undefined || !isBelowHelicon(requested)) return {}
  return { [HELICON_MIN]: requested }
}

/** Returns whether a text is a duration below Helicon's minimum. Other texts are refused when flags are read. */
function isBelowHelicon(requested: FlagValue): boolean {
  try {
    const nanoseconds = readFlagValue("duration", requested)
    return nanoseconds !== undefined && nanoseconds > 0 && nanoseconds < local.params.staking.heliconMinStakeNanoseconds
  } catch {
    return false
  }
}
