/** Parts of a whole in which shares, fees and consumption rates are counted: millionths. */
export const PERCENT_DENOMINATOR = 1_000_000n

/** nAVAX in an AVAX. */
export const AVAX = 1_000_000_000n

/** The complexity of a transaction, or the weights of its units, in the four dimensions of ACP-103. */
export interface Dimensions {
  /** Bytes. */
  readonly bandwidth: bigint
  readonly dbRead: bigint
  /** Deletes count too. */
  readonly dbWrite: bigint
  /** Microseconds, roughly. */
  readonly compute: bigint
}

/** Limits for stakers of the primary network. Amounts in nAVAX, durations in seconds. */
export interface StakingLimits {
  /** Share of its time that a validator must be online to be rewarded, 0 to 1. */
  readonly uptimeRequirement: number
  readonly minValidatorStake: bigint
  /** Own and delegated stake together. */
  readonly maxValidatorStake: bigint
  readonly minDelegatorStake: bigint
  /** Smallest share of a delegator's reward that a validator may ask, in millionths. */
  readonly minDelegationFee: number
  /** Rounded up where a flag gave a fraction: staking periods are whole seconds, so the comparison stays exact. */
  readonly minStakeDuration: bigint
  /**
   * Shortest period of a primary network validator since Helicon, in nanoseconds: AddPermissionlessValidatorTx compares with it
   * rounded up to whole seconds, the transactions of auto-renewed validators with it rounded down.
   */
  readonly heliconMinStakeNanoseconds: bigint
  /** Rounded down, for the same reason. */
  readonly maxStakeDuration: bigint
}

/** Parameters of the rewards for staking. */
export interface RewardConfig {
  /** Share of the remaining supply minted in a whole minting period, in millionths. */
  readonly maxConsumptionRate: bigint
  /** The same for the shortest stakes. */
  readonly minConsumptionRate: bigint
  /** Nanoseconds, as in AvalancheGo: here a fraction of a second would change the reward. */
  readonly mintingPeriodNanoseconds: bigint
  /** nAVAX. */
  readonly supplyCap: bigint
}

/** The price of gas (ACP-103), members as in `platform.getFeeConfig`. */
export interface GasConfig {
  readonly weights: Dimensions
  readonly maxCapacity: bigint
  readonly maxPerSecond: bigint
  readonly targetPerSecond: bigint
  /** nAVAX for a unit of gas. */
  readonly minPrice: bigint
  readonly excessConversionConstant: bigint
}

/** The continuous fee of L1 validators (ACP-77), members as in `platform.getValidatorFeeConfig`. */
export interface L1FeeConfig {
  /** Most validators that may be active at once. */
  readonly capacity: bigint
  readonly target: bigint
  /** nAVAX a second. */
  readonly minPrice: bigint
  readonly excessConversionConstant: bigint
}

/** The numbers by which a network's rules differ from another's. */
export interface Params {
  readonly networkID: number
  readonly staking: StakingLimits
  readonly reward: RewardConfig
  readonly dynamicFee: GasConfig
  readonly validatorFee: L1FeeConfig
  /** X-Chain fee of a transaction, in nAVAX; no P-Chain rule reads it. */
  readonly txFee: bigint
  /** X-Chain fee of a new asset, in nAVAX. */
  readonly createAssetTxFee: bigint
}
