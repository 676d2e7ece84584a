import { entropyOf, type Knowledge, knowledgeOf } from "./entropy.js"
import { loadWords } from "./words.js"

/** Seconds a guess takes someone with a hundred machines, by the reference's reckoning. */
const SECONDS_PER_GUESS = 0.0001

/** Score 2 of 4, "fair", is the least the reference takes: ten thousand seconds of guessing, about 27.6 bits. */
const FAIR_SECONDS = 10_000

/** Checks whether a password is hard enough to guess. Its words are loaded at the first check. */
export class Strength {
  #knowledge: Promise<Knowledge> | undefined

  /** True from the score "fair" on. */
  async isFair(password: string): Promise<boolean> {
    this.#knowledge ??= loadWords().then(knowledgeOf)
    return secondsToGuess(entropyOf(password, await this.#knowledge)) >= FAIR_SECONDS
  }
}

/** Half of all guesses, in seconds rounded to thousandths. */
function secondsToGuess(bits: number): number {
  return Math.round(0.5 * 2 ** bits * SECONDS_PER_GUESS * 1000) / 1000
}

/** Returns whether a password is as the contract recommends: at least eight characters with upper and lower case, digits and symbols. */
export function isRecommended(password: string): boolean {
  return [...password].length >= 8 && [/\p{Lu}/u, /\p{Ll}/u, /\p{Nd}/u, /[\p{P}\p{S}]/u].every((kind) => kind.test(password))
}
