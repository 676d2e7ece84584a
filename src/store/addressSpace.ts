import { readFileSync } from "node:fs"

/** Address space in bytes that a 64-bit process can surely give to stores, out of 2^47 bytes. */
const ADDRESSES = 2 ** 46
/** More than any P-Chain needs. */
const MAX_STORE_BYTES = 2 ** 40
/** Addresses that every store gets, even where other stores took most of them. */
const PLENTY = 2 ** 34
/** Fewest free addresses with which a store is opened. The heaps and threads of the process need some too, and end it by a signal where they find none. */
const LEAST = 2 ** 28

/** Addresses that a store reserves while it is open. */
export interface Reserved {
  /** The largest size of the file. */
  readonly bytes: number
  /** Reserves more, so that the file may have so many bytes; false where the process has too few left, or the size was fixed. */
  grow(bytes: number): boolean
  giveBack(): void
}

/**
 * Shares out the addresses of a process among its stores. Each reserves as many as it will need for long when it is opened, and lmdb 3.5.6
 * ends the process with a segmentation fault where there are none left.
 */
export class AddressSpace {
  readonly #limit: number
  readonly #used: () => number
  #free: number

  /** `limits`: what the system allows this process, as Linux writes it; `used`: what it has taken already, bytes. */
  constructor(limits: string = procFile("limits"), used: () => number = usedByThisProcess) {
    this.#limit = Number(/^Max address space +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
    this.#used = used
    this.#free = Math.min(ADDRESSES, this.#limit - used())
  }

  /** Takes so many bytes, or a fair share of what is left, which may grow: hundreds can have one. None where too few are left. */
  take(wanted?: number): Reserved | undefined {
    const first = Math.floor(wanted ?? fairShare(this.#free))
    if (first > this.#free || this.#free < LEAST) return undefined
    let [bytes, taken, isTaken] = [first, first, true]
    this.#free -= first
    return {
      get bytes() {
        return bytes
      },
      grow: (larger) => {
        // LMDB maps the file once more, and leaves the smaller map to those who read in it.
        if (wanted !== undefined || !isTaken || !this.#hasMore(larger)) return false
        this.#free -= larger
        taken += larger
        bytes = larger
        return true
      },
      giveBack: () => {
        if (isTaken) this.#free += taken
        isTaken = false
      },
    }
  }

  /** Whether there are so many more, besides those that the process needs for itself. */
  #hasMore(bytes: number): boolean {
    return Math.min(this.#free, this.#limit - this.#used()) >= bytes + LEAST
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
