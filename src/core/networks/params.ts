/** The denominator of shares, fees and consumption rates, which are counted in millionths. */
export const PERCENT_DENOMINATOR = 1_000_000n

/** The number of nAVAX in an AVAX. */
export const AVAX = 1_000_000_000n

/** The complexity of a transaction, or the weights of its units, in the four dimensions of ACP-103. */
export interface Dimensions {
  /** The size in bytes. */
  readonly bandwidth: bigint
  readonly dbRead: bigint
  /** The number of writes, including deletes. */
  readonly dbWrite: bigint
  /** The approximate time in microseconds. */
  readonly compute: bigint
}

/** Limits for stakers of the primary network. Amounts in nAVAX, durations in seconds. */
export interface StakingLimits {
  /** The share of its time that a validator must be online to be rewarded, 0 to 1. */
  readonly uptimeRequirement: number
  readonly minValidatorStake: bigint
  /** The maximum of own and delegated stake together. */
  readonly maxValidatorStake: bigint
  readonly minDelegatorStake: bigint
  /** The minimum share of a delegator's reward that a validator may take, in millionths. */
  readonly minDelegationFee: number
  /** Rounded up if a flag gave a fraction. Staking periods are whole seconds, so the comparison stays exact. */
  readonly minStakeDuration: bigint
  /**
   * The shortest period of a primary network validator since Helicon, in nanoseconds. AddPermissionlessValidatorTx compares with it rounded
   * up to whole seconds, the transactions of auto-renewed validators with it rounded down.
   */
  readonly heliconMinStakeNanoseconds: bigint
  /** Rounded down, for the same reason. */
  readonly maxStakeDuration: bigint
}

export interface RewardConfig {
  /** The share of the remaining supply that is minted in a whole minting period, in millionths. */
  readonly maxConsumptionRate: bigint
  /** The same share for the shortest stakes. */
  readonly minConsumptionRate: bigint
  /** In nanoseconds as in AvalancheGo, because a fraction of a second would change the reward. */
  readonly mintingPeriodNanoseconds: bigint
  /** The maximum supply, nAVAX. */
  readonly supplyCap: bigint
}

/** The price of gas (ACP-103), members as in `platform.getFeeConfig`. */
export interface GasConfig {
  readonly weights: Dimensions
  readonly maxCapacity: bigint
  readonly maxPerSecond: bigint
  readonly targetPerSecond: bigint
  /** The minimum price of a unit of gas, nAVAX. */
  readonly minPrice: bigint
  readonly excessConversionConstant: bigint
}

/** The continuous fee of L1 validators (ACP-77), members as in `platform.getValidatorFeeConfig`. */
export interface L1FeeConfig {
  /** The maximum number of active validators. */
  readonly capacity: bigint
  readonly target: bigint
  /** The minimum price, nAVAX per second. */
  readonly minPrice: bigint
  readonly excessConversionConstant: bigint
}

/** The numbers of a network's rules. */
export interface Params {
  readonly networkID: number
  readonly staking: StakingLimits
  readonly reward: RewardConfig
  readonly dynamicFee: GasConfig
  readonly validatorFee: L1FeeConfig
  /** The X-Chain's fee of a transaction, nAVAX. No P-Chain rule reads it. */
  readonly txFee: bigint
  /** The X-Chain's fee of a new asset, nAVAX. */
  readonly createAssetTxFee: bigint
}
