import { isStoreFailure } from "../store/errors.js"
import type { DevState } from "./chain/chainHead.js"

/**
 * Wraps a state and reports failures of `commit` that do not come from the disk. They are faults in Serac, after which the node must stop.
 */
export function guardedState(state: DevState, onFault: (error: unknown) => void): DevState {
  const failed = (error: unknown) => {
    if (!isStoreFailure(error)) onFault(error)
    return error
  }
  const commit: DevState["commit"] = (edits, options) => {
    try {
      state.commit(edits, options)
    } catch (error) {
      throw failed(error)
    }
  }
  const commitInSteps: DevState["commitInSteps"] = async (edits, rest) => {
    try {
      await state.commitInSteps?.(edits, rest)
    } catch (error) {
      throw failed(error)
    }
  }
  return { latest: state.latest, commit, ...(state.commitInSteps ? { commitInSteps } : {}) }
}
