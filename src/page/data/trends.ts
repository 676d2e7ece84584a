import { signal } from "@preact/signals"

/** The fees that the page follows. */
export type FeeName = "gasPrice" | "validatorFee"

const KEPT = 60

/** Each fee since the page was opened, the newest last. The node keeps no history of fees. */
export const trends = signal<Readonly<Record<FeeName, readonly number[]>>>({ gasPrice: [], validatorFee: [] })

/** Adds what the node has just answered. */
export function noteTrend(name: FeeName, price: number): void {
  trends.value = { ...trends.value, [name]: [...trends.value[name], price].slice(-KEPT) }
}
