import { Invalid } from "../../core/lib/invalid.js"
import { isFinalFailure, isStoreFailure } from "../../store/errors.js"
import type { ChainTurn } from "./chainTurn.js"

/** Runs a task and ends its turn, also after a refusal. Nothing is written after a fault in Serac or a failure of the store. */
export async function endingWith<T>(chain: ChainTurn, task: (chain: ChainTurn) => T | Promise<T>): Promise<T> {
  let failure: { readonly error: unknown } | undefined
  let result: T | undefined
  try {
    result = await task(chain)
  } catch (error) {
    if (!(error instanceof Invalid) || isStoreFailure(error) || isFinalFailure(error)) throw error
    failure = { error }
  }
  chain.end()
  if (failure) throw failure.error
  return result as T
}
