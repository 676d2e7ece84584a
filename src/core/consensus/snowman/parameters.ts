/** Parameters of Snowman consensus: sample size, quorums and confidence. */
export interface SnowParameters {
  /** Sample size of a poll, in units of stake. */
  readonly k: number
  /** Votes that change the preference. */
  readonly alphaPreference: number
  /** Votes that raise the confidence. */
  readonly alphaConfidence: number
  /** Consecutive polls that decide. */
  readonly beta: number
  /** The number of concurrent polls while something is undecided. */
  readonly concurrentRepolls: number
}

/** The parameters of the primary network. */
export const defaultSnowParameters: SnowParameters = {
  k: 20,
  alphaPreference: 15,
  alphaConfidence: 15,
  beta: 20,
  concurrentRepolls: 4,
}
