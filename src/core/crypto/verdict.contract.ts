import { Invalid } from "../lib/invalid.js"

/** What became of an attempt, for tables of refusals: `accepted`, or the code and the reference's words. */
export function verdictOf(attempt: () => unknown): string {
  try {
    attempt()
    return "accepted"
  } catch (error) {
    if (error instanceof Invalid) return `${error.code}: ${error.avalanchegoMessage}`
    throw error
  }
}
