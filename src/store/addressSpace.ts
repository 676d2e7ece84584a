import { readFileSync } from "node:fs"

/** Address space that a 64-bit process can safely give to stores, out of 2^47 bytes. */
const ADDRESSES = 2 ** 46
/** The maximum size of a store, bytes: more than any P-Chain needs. */
const MAX_STORE_BYTES = 2 ** 40
/** The address space that every store gets even if other stores took most of it, bytes. */
const PLENTY = 2 ** 34
/**
 * The minimum of free address space with which a store is opened, bytes. The heaps and threads of the process also need some; without it a
 * signal ends the process.
 */
const LEAST = 2 ** 28

/** Address space that a store reserves while it is open. */
export interface AddressReservation {
  /** The maximum size of the file, bytes. */
  readonly bytes: number
  /** Reserves more, so that the file may have this many bytes. Returns false if the process has too little left, or the size is fixed. */
  grow(bytes: number): boolean
  giveBack(): void
}

/**
 * Divides the address space of a process among its stores. When a store is opened it reserves the addresses that it needs for a
 * long time of growth, because lmdb 3.5.6 ends the process with a segmentation fault if none is left.
 */
export class AddressSpace {
  readonly #limit: number
  readonly #used: () => number
  #free: number

  /** `limits` has the limits of this process as Linux writes them; `used` returns the address space that it uses already, bytes. */
  constructor(limits: string = procFile("limits"), used: () => number = usedByThisProcess) {
    this.#limit = Number(/^Max address space +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
    this.#used = used
    this.#free = Math.min(ADDRESSES, this.#limit - used())
  }

  /**
   * Reserves this many bytes, or a fair share of the rest, which may grow; hundreds of stores can have one. Returns `undefined` if too
   * little is left.
   */
  take(wanted?: number): AddressReservation | undefined {
    const first = Math.floor(wanted ?? fairShare(this.#free))
    if (first > this.#free || this.#free < LEAST) return undefined
    let [bytes, taken, isTaken] = [first, first, true]
    this.#free -= first
    return {
      get bytes() {
        return bytes
      },
      grow: (larger) => {
        // LMDB maps the file again, and keeps the smaller map for present readers.
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

  /** Returns whether this many bytes are free besides those that the process itself needs. */
  #hasMore(bytes: number): boolean {
    return Math.min(this.#free, this.#limit - this.#used()) >= bytes + LEAST
  }
}

/** The address space of this process. */
export const addressSpace = new AddressSpace()

function fairShare(free: number): number {
  return Math.min(MAX_STORE_BYTES, Math.max(free / 64, Math.min(free / 4, PLENTY)))
}

/** Returns the address space that this process uses, bytes. */
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
