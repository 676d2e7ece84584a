import { hrpOf } from "../networks/names.js"
import { addressText } from "../types/address.js"
import { type GenesisConfig, initialSupplyOf } from "./config.js"
import { genesisError } from "./errors.js"

/** Settings of the node that the rules for a genesis file depend on. */
export interface ConfigContext {
  readonly networkID: number
  /** The clock, Unix seconds. */
  readonly now: bigint
  /** The longest staking period, in whole seconds. */
  readonly maxStakeDuration: bigint
}

/** Checks a genesis file by AvalancheGo v1.14.2's rules, in its order. Throws `genesis.*`. */
export function checkConfig(config: GenesisConfig, { networkID, now, maxStakeDuration }: ConfigContext): void {
  if (config.networkID !== networkID) throw genesisError("genesis.wrong_network", { expected: networkID, got: config.networkID })
  if (initialSupplyOf(config) === 0n) throw genesisError("genesis.no_supply")
  const { startTime, initialStakeDuration, initialStakers } = config
  if (startTime > now) throw genesisError("genesis.future_start", { startTime, now })
  if (initialStakeDuration === 0n) throw genesisError("genesis.no_stake_duration")
  if (initialStakeDuration > maxStakeDuration) {
    throw genesisError("genesis.stake_duration_too_long", { initialStakeDuration, maxStakeDuration })
  }
  if (initialStakers.length === 0) throw genesisError("genesis.no_stakers")
  // AvalancheGo lets this product overflow at 64 bits. This makes no sense and is not repeated here.
  const required = config.initialStakeDurationOffset * BigInt(initialStakers.length - 1)
  if (required > initialStakeDuration) {
    throw genesisError("genesis.stake_duration_too_short", { required, initialStakeDuration })
  }
  checkStakedFunds(config)
  checkLockedAmount(config)
  if (config.cChainGenesis === "") throw genesisError("genesis.no_c_chain_genesis")
}

/** Checks that no address occurs twice, and that each has an allocation. Several allocations may share one. */
function checkStakedFunds({ networkID, allocations, initialStakedFunds }: GenesisConfig): void {
  if (initialStakedFunds.length === 0) throw genesisError("genesis.no_staked_funds")
  const owners = new Set(allocations.map(({ avaxAddr }) => avaxAddr))
  const seen = new Set<string>()
  for (const each of initialStakedFunds) {
    const address = () => addressText(each, hrpOf(networkID), "X")
    if (seen.has(each)) throw genesisError("genesis.doubled_staked_funds", { address: address() })
    seen.add(each)
    if (!owners.has(each)) throw genesisError("genesis.nothing_to_stake", { address: address() })
  }
}

/** A check since v1.14.2. It counts all schedules, not only the staked ones, so a validator may still have no weight. */
function checkLockedAmount({ allocations, initialStakers }: GenesisConfig): void {
  let locked = 0n
  for (const { unlockSchedule } of allocations) for (const { amount } of unlockSchedule) locked += amount
  const stakers = initialStakers.length
  if (locked < BigInt(stakers)) throw genesisError("genesis.locked_amount_too_low", { locked, stakers })
}
