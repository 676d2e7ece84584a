const feeFlags = ["dynamic-fees-min-gas-price", "dynamic-fees-target-gas-per-second"]

/** The flags that set a limit, by the code with which a transaction beyond it is refused. */
export const flagsByRefusal: Readonly<Record<string, readonly string[]>> = {
  "rules.weight_too_small": ["min-validator-stake", "min-delegator-stake"],
  "rules.weight_too_large": ["max-validator-stake"],
  "rules.over_delegated": ["max-validator-stake"],
  "rules.delegation_fee_too_small": ["min-delegation-fee"],
  "rules.stake_too_short": ["min-stake-duration", "helicon-min-stake-duration"],
  "rules.stake_too_long": ["max-stake-duration"],
  "rules.insufficient_capacity": ["dynamic-fees-max-gas-capacity", "dynamic-fees-max-gas-per-second"],
  "rules.insufficient_unlocked": ["upgrade", ...feeFlags],
  "rules.too_many_active": ["validator-fees-capacity"],
}

/** Returns what an operator can do where a block that a network accepted is refused here with this code. */
export function remedyOf(code: string): string {
  const flags = (flagsByRefusal[code] ?? []).map((flag) => `--${flag}`)
  const ones = flags.length === 0 ? "other rules or upgrade times" : `another value of ${flags.join(", ")}`
  return `if the nodes of the network run with ${ones}, start with the same flags and an empty --data-dir; else look for a newer version`
}
