import { Invalid } from "../lib/invalid.js"

/** Returns `accepted`, or the code and AvalancheGo's message of the refusal, for tables of refusals. */
export function verdictOf(attempt: () => unknown): string {
  try {
    attempt()
    return "accepted"
  } catch (error) {
    if (error instanceof Invalid) return `${error.code}: ${error.avalanchegoMessage}`
    throw error
  }
}
