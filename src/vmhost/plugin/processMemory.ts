import { readFileSync } from "node:fs"

/** Returns the memory of a process in bytes, as Linux reports it; `undefined` on other systems, and for a process that has ended. */
export function processMemory(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}
