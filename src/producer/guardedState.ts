import { isStoreFailure } from "../store/errors.js"
import type { DevState } from "./chain/chainHead.js"

/**
 * Wraps a state and reports failures of `commit` that do not come from the disk. They are faults in Serac, after which the node must stop.
 */
export function guardedState(state: DevState, onFault: (error: unknown) => void): DevState {
  const commit: DevState["commit"] = (edits, options) => {
    try {
      state.commit(edits, options)
    } catch (error) {
      if (!isStoreFailure(error)) onFault(error)
      throw error
    }
  }
  return { latest: state.latest, commit }
}
