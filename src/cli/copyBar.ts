import type { CopyProgress } from "../node/follow/followReport.js"
import { type Progress, progressOn } from "./progress.js"
import type { Terminal } from "./terminal.js"

/** Draws the progress of a copy that catches up with the node that it follows. The bar is removed when it has caught up. */
export function copyBar(terminal: Terminal): (progress: CopyProgress | undefined) => void {
  let bar: Progress | undefined
  let target = 0
  return (progress) => {
    if (!progress) {
      bar?.end()
      bar = undefined
      return
    }
    const height = Number(progress.height)
    target = Number(progress.target)
    bar ??= progressOn(terminal, {
      unit: "blocks",
      from: height,
      get total() {
        return target
      },
    })
    bar.update(height)
  }
}
