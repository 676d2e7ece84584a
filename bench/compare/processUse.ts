import { readdirSync, readFileSync } from "node:fs"

/** Clock ticks per second of `/proc/PID/stat`, the same on every Linux. */
const TICKS = 100

/** The use of a process and all its descendants. Linux only. */
export interface ProcessUse {
  /** User and system CPU time of the processes that run now, seconds. */
  readonly cpuSeconds: number
  /** Resident memory, bytes; pages that several of them share count for each. */
  readonly bytes: number
}

/** Reads from `/proc` the use of a process and its descendants. */
export function useOf(pid: number): ProcessUse {
  const parents = new Map<number, number>()
  for (const name of readdirSync("/proc")) if (/^\d+$/.test(name)) parents.set(Number(name), statOf(Number(name))?.parent ?? 0)
  const isDescendant = (each: number): boolean => each === pid || (each > 1 && isDescendant(parents.get(each) ?? 0))
  const stats = [...parents.keys()].filter(isDescendant).flatMap((each) => statOf(each) ?? [])
  return {
    cpuSeconds: stats.reduce((sum, { ticks }) => sum + ticks, 0) / TICKS,
    bytes: stats.reduce((sum, { pages }) => sum + pages * 4096, 0),
  }
}

function statOf(pid: number): { readonly parent: number; readonly ticks: number; readonly pages: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The name in parentheses may hold spaces.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]), pages: Number(fields[21]) }
  } catch {
    return undefined
  }
}
