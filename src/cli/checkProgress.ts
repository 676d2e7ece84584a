import type { ChainCheck } from "../node/check/checkChain.js"
import { type Progress, progressOn } from "./progress.js"
import type { Terminal } from "./terminal.js"

/** Shows the progress of a check of a chain, part by part. `end` removes the bar. */
export function checkProgress(terminal: Terminal): Pick<ChainCheck, "begin"> & { end(): void } {
  let bar: Progress | undefined
  return {
    begin(part) {
      bar?.end()
      const shown = progressOn(terminal, part)
      bar = shown
      let done = 0
      return () => shown.update(++done)
    },
    end: () => bar?.end(),
  }
}
