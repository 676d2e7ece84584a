import { Invalid, type RefusalData } from "../src/core/lib/invalid.js"

/** The code and data of the refusal that this ends in; any other end is an error. */
export function refusal(action: () => unknown): { readonly code: string; readonly data: RefusalData } {
  try {
    action()
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return { code: error.code, data: error.data }
  }
  throw new Error("expected a refusal")
}
