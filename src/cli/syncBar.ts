import type { JoinOptions } from "../node/joined/joinOptions.js"
import { type Progress, progressOn } from "./progress.js"
import type { Terminal } from "./terminal.js"

/**
 * Draws the progress of a node that catches up with its network: a bar once the last block is known, which is removed when it has caught
 * up.
 */
export function syncBar(terminal: Terminal): NonNullable<JoinOptions["onSync"]> {
  let bar: Progress | undefined
  let target = 0
  return (progress) => {
    if (progress?.phase !== "fetching") {
      bar?.end()
      bar = undefined
      return
    }
    const { lastAccepted, waiting } = progress
    target = Number(progress.target)
    bar ??= progressOn(terminal, {
      unit: "blocks",
      from: Number(lastAccepted),
      get total() {
        return target
      },
    })
    bar.update(Number(lastAccepted), () => `${waiting} fetched`)
  }
}
