import { expect } from "vitest"
import { SafetyRun } from "./safetyRun.js"

/**
 * So long after the network has healed, every honest validator must have accepted a new payment, milliseconds. Half of the runs need 2 s and
 * 99 of 100 less than 75 s. The others have a fifth of the stake that names blocks which nobody has: every vote for one waits for a timeout.
 */
const PROGRESS_MS = 600_000

/** For how long everything goes wrong, milliseconds. */
const CHAOS_MS = process.env.SERAC_SOAK ? 8_000 : 6_000

/** Runs a seed: whatever is unsafe throws at its step, and the payment after the chaos must come through in time. */
export function checkSafety(seed: number, validators: number, chaosMs = CHAOS_MS): void {
  const run = new SafetyRun({ seed, validators, chaosMs, maxLatencyMs: 100 })
  run.simulation.runFor(chaosMs)
  const healedAt = run.simulation.now
  const { payments } = run
  const isPaid = run.simulation.runUntil(() => run.payments > payments, PROGRESS_MS)
  const { height } = run
  const isEverywhere = run.simulation.runUntil(() => run.hasEverywhere(height), PROGRESS_MS - (run.simulation.now - healedAt))
  expect({ seed, isPaid, isEverywhere, faults: run.faults }).toMatchObject({ isPaid: true, isEverywhere: true })
}
