import { readFileSync } from "node:fs"

/** More than any P-Chain needs, and less than any machine of 64 bits can address. */
const DEFAULT_BYTES = 2 ** 40

/**
 * How large a store may become here. Addresses for all of it are reserved when it is opened: where a process may have
 * only so many (`ulimit -v`), a quarter of them.
 */
export function mostBytes(limits: string = limitsOfThisProcess()): number {
  const limit = Number(/^Max address space +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
  return Math.min(DEFAULT_BYTES, Math.floor(limit / 4))
}

/** What Linux allows this process; nothing is known elsewhere. */
function limitsOfThisProcess(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8")
  } catch {
    return ""
  }
}
