import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SIGNALS } from "./untilStopped.js"

/** Does something with a directory for temporary files, which is removed afterwards, also where a signal ends the process. */
export async function withScratchDirectory<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), "serac-"))
  const remove = () => rmSync(dir, { recursive: true, force: true })
  const onSignal = (signal: NodeJS.Signals) => {
    remove()
    // It was taken off with this call, so the signal ends the process as it would have without us.
    process.kill(process.pid, signal)
  }
  for (const signal of SIGNALS) process.once(signal, onSignal)
  try {
    return await work(dir)
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal)
    remove()
  }
}
