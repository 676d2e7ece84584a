import { avaxText } from "./avaxText.js"
import { printRfc3339 } from "./go/rfc3339.js"

/** How the message of a refusal shows a number of its data: nAVAX in AVAX, durations in days and shorter units, Unix seconds as a time. */
type Unit = "nAVAX" | "seconds" | "nanoseconds" | "time"

/** Members of the data of refusals whose numbers have a unit, by code. The data itself has plain numbers. */
export const units: Readonly<Record<string, Readonly<Record<string, Unit>>>> = {
  "rules.weight_too_small": { weight: "nAVAX", minimum: "nAVAX" },
  "rules.weight_too_large": { weight: "nAVAX", maximum: "nAVAX" },
  "rules.over_delegated": { weight: "nAVAX", limit: "nAVAX" },
  "rules.stake_too_short": { duration: "seconds", minimum: "seconds" },
  "rules.stake_too_long": { duration: "seconds", maximum: "seconds" },
  "rules.time_locked": { locktime: "time", now: "time" },
  "rules.starts_too_early": { chainTime: "time", start: "time" },
  "rules.l1_balance_spent": { endAccumulatedFee: "nAVAX", accruedFees: "nAVAX" },
  "tx.staker_too_early": { end: "time", chainTime: "time" },
  "tx.registration_expired": { expiry: "time", chainTime: "time" },
  "tx.registration_too_early": { ahead: "seconds", limit: "seconds" },
  "producer.insufficient_funds": { amount: "nAVAX", balance: "nAVAX" },
  "producer.unaffordable_accounts": { balance: "nAVAX", needed: "nAVAX", owned: "nAVAX" },
  "producer.time_span_too_long": { seconds: "seconds", limit: "seconds" },
  "producer.time_in_the_past": { to: "time", earliest: "time" },
  "producer.start_too_early": { startTime: "time", earliest: "time" },
  "producer.bad_interval": { seconds: "seconds" },
  "dev.bad_timeout": { timeout: "seconds" },
  "platform.time_passed": { until: "time", chainTime: "time" },
  "platform.time_beyond_forecast": { until: "time", forecastUntil: "time" },
  "sync.other_supply": { got: "nAVAX", expected: "nAVAX" },
  "genesis.stake_duration_too_long": { initialStakeDuration: "seconds", maxStakeDuration: "seconds" },
  "genesis.stake_duration_too_short": { required: "seconds", initialStakeDuration: "seconds" },
  "genesis.future_start": { startTime: "time", now: "time" },
  "network.stake_limits": { minValidatorStake: "nAVAX", maxValidatorStake: "nAVAX" },
  "network.min_stake_duration": { minDuration: "nanoseconds" },
  "network.helicon_min_stake_duration": { heliconMinDuration: "nanoseconds" },
  "network.stake_durations": { minDuration: "nanoseconds", maxDuration: "nanoseconds" },
  "network.helicon_stake_durations": { heliconMinDuration: "nanoseconds", maxDuration: "nanoseconds" },
}

const SECOND = 1_000_000_000n

const printers: Readonly<Record<Unit, (value: bigint) => string>> = {
  nAVAX: avaxText,
  seconds: durationText,
  nanoseconds: (value) => (value % SECOND === 0n ? durationText(value / SECOND) : `${value} ns`),
  time: printRfc3339,
}

/** Prints a number of a refusal's data with its unit; `undefined` if it is no whole number that has one. */
export function withUnit(code: string, name: string, data: Readonly<Record<string, unknown>>): string | undefined {
  const [unit, value] = [units[code]?.[name], data[name]]
  const isWhole = typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value))
  // The stake of a subnet with an asset of its own is not AVAX.
  if (unit === undefined || !isWhole || value < 0 || (unit === "nAVAX" && data.asset !== undefined)) return undefined
  return printers[unit](BigInt(value))
}

const PARTS = [
  [86_400n, "day"],
  [3_600n, "hour"],
  [60n, "minute"],
  [1n, "second"],
] as const

/** Prints seconds exactly in larger units: `14 days`, `1 hour 30 minutes`. */
export function durationText(seconds: bigint): string {
  const parts: string[] = []
  let rest = seconds
  for (const [size, name] of PARTS) {
    const count = rest / size
    rest %= size
    if (count > 0n) parts.push(`${count} ${name}${count === 1n ? "" : "s"}`)
  }
  return parts.length === 0 ? "0 seconds" : parts.join(" ")
}
