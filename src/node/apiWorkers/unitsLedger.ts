import type { ChargedUnits } from "./messages.js"

/** Sums the units that clients are charged until they are reported to the other processes of the node. */
export class UnitsLedger {
  #units = new Map<string, number>()

  add(client: string, units: number): void {
    this.#units.set(client, (this.#units.get(client) ?? 0) + units)
  }

  /** Returns the units since the last call; `undefined` if there are none. */
  take(): ChargedUnits | undefined {
    if (this.#units.size === 0) return undefined
    const units = [...this.#units]
    this.#units = new Map()
    return units
  }
}
