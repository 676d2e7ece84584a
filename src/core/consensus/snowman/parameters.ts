/** The parameters of Snowman consensus, with the values of the primary network. */
export const defaultSnowParameters = {
  /** Sample size of a poll, in units of stake. */
  k: 20,
  /** Votes that change the preference. */
  alphaPreference: 15,
  /** Votes that raise the confidence. */
  alphaConfidence: 15,
  /** Consecutive polls that decide. */
  beta: 20,
  /** The number of concurrent polls while something is undecided. */
  concurrentRepolls: 4,
}

export type SnowParameters = Readonly<typeof defaultSnowParameters>
