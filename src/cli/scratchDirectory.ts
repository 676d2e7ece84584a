import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { interruptible } from "./interruptible.js"

/** Runs work with a directory for temporary files, which is removed afterwards, also if a signal interrupts it. */
export function withScratchDirectory<T>(work: (dir: string) => Promise<T>): Promise<T> {
  return interruptible(async (interrupted) => {
    const dir = mkdtempSync(join(tmpdir(), "serac-"))
    const stopped = new Promise<never>((_, reject) => {
      interrupted.addEventListener("abort", () => reject(interrupted.reason))
    })
    try {
      return await Promise.race([work(dir), stopped])
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  })
}
