import { signal } from "@preact/signals"

/** What the page has seen of the fees, one entry for each time that it asked. */
export interface Trend {
  readonly gasPrice: number
  readonly validatorFee: number
}

const KEPT = 60

/** The fees since the page was opened, the newest last. The node keeps no history of them. */
export const trends = signal<readonly Trend[]>([])

/** Adds what the node has just answered. */
export function noteTrend(trend: Trend): void {
  trends.value = [...trends.value, trend].slice(-KEPT)
}
