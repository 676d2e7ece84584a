import type { Group } from "../group.js"
import { epochs } from "./epochs.js"
import { gas } from "./gas.js"
import { networkParams } from "./networkParams.js"
import { rewards } from "./rewards.js"
import { upgrades } from "./upgrades.js"
import { uptime } from "./uptime.js"
import { validatorFees } from "./validatorFees.js"
import { validatorSets } from "./validatorSets.js"

/** Every vector file we can check, by its name. */
export const groups: Readonly<Record<string, Group>> = {
  "epochs.json": epochs,
  "gas.json": gas,
  "network-params.json": networkParams,
  "rewards.json": rewards,
  "upgrades.json": upgrades,
  "uptime.json": uptime,
  "validator-fees.json": validatorFees,
  "validator-sets.json": validatorSets,
}
