import { isStoreFailure } from "../store/errors.js"
import type { DevState } from "./chain/chainHead.js"

/** A state that reports failures of `commit` that do not come from the disk: they are faults of Serac, and the node must stop. */
export function guardedState(state: DevState, onFault: (error: unknown) => void): DevState {
  return {
    latest: state.latest,
    commit(edits, options) {
      try {
        state.commit(edits, options)
      } catch (error) {
        if (!isStoreFailure(error)) onFault(error)
        throw error
      }
    },
  }
}
