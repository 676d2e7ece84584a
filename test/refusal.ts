import { Invalid, type RefusalData } from "../src/core/lib/invalid.js"

/** Returns the code and data of the refusal that an action throws. Fails if it throws none. */
export function refusal(action: () => unknown): { readonly code: string; readonly data: RefusalData } {
  try {
    action()
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return { code: error.code, data: error.data }
  }
  throw new Error("expected a refusal")
}

/** Returns the code and data of the refusal that an action throws as members of one object. Fails if it throws none. */
export function flatRefusal(action: () => unknown): RefusalData & { readonly code: string } {
  const { code, data } = refusal(action)
  return { ...data, code }
}

/** Returns the code of the refusal that an action throws; `undefined` if it throws nothing. Any other error is thrown. */
export function refusalCode(action: () => unknown): string | undefined {
  try {
    action()
    return undefined
  } catch (error) {
    if (error instanceof Invalid) return error.code
    throw error
  }
}
