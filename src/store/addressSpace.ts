import { readFileSync } from "node:fs"

/** Address space in bytes that a 64-bit process can surely give to stores, out of 2^47 bytes. */
const ADDRESSES = 2 ** 46
/** More than any P-Chain needs. */
const MAX_STORE_BYTES = 2 ** 40
/** Addresses that every store gets, even where other stores took most of them. */
const PLENTY = 2 ** 34
/** Fewest free addresses with which a store is opened. The heaps and threads of the process need some too, and end it by a signal where they find none. */
const LEAST = 2 ** 28

/** Addresses that a store reserves while it is open. The store cannot grow beyond them. */
export interface Reserved {
  readonly bytes: number
  giveBack(): void
}

/**
 * Shares out the addresses of a process among its stores. Each reserves as many as it may ever need when it is opened, and lmdb 3.5.6 ends
 * the process with a segmentation fault where there are none left.
 */
export class AddressSpace {
  #free: number

  /** `limits`: what the system allows this process, as Linux writes it; `used`: what it has taken already, bytes. */
  constructor(limits: string = procFile("limits"), used: number = usedByThisProcess()) {
    const limit = Number(/^Max address space +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
    this.#free = Math.min(ADDRESSES, limit - used)
  }

  /** Takes so many bytes, or a fair share of what is left: hundreds can have one. None where too few are left. */
  take(wanted: number = fairShare(this.#free)): Reserved | undefined {
    const bytes = Math.floor(wanted)
    if (bytes > this.#free || this.#free < LEAST) return undefined
    this.#free -= bytes
    let isTaken = true
    return {
      bytes,
      giveBack: () => {
        if (isTaken) this.#free += bytes
        isTaken = false
      },
    }
  }
}

/** The addresses of this process. */
export const addressSpace = new AddressSpace()

function fairShare(free: number): number {
  return Math.min(MAX_STORE_BYTES, Math.max(free / 64, Math.min(free / 4, PLENTY)))
}

/** Addresses that this process has taken, bytes. */
function usedByThisProcess(): number {
  return Number(/^VmSize:\s+(\d+) kB/m.exec(procFile("status"))?.[1] ?? 0) * 1024
}

/** Reads a file of Linux about this process; empty on other systems. */
function procFile(name: string): string {
  try {
    return readFileSync(`/proc/self/${name}`, "utf8")
  } catch {
    return ""
  }
}
