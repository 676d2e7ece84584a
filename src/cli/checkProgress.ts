import type { ChainCheck } from "../node/checkChain.js"
import { type Progress, progressOn } from "./progress.js"
import type { Terminal } from "./terminal.js"

/** A check of a chain that shows how far it is; `end` wipes the bar. */
export function checkWithProgress(terminal: Terminal, isDeep: boolean): ChainCheck & { end(): void } {
  let bar: Progress | undefined
  return {
    isDeep,
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
