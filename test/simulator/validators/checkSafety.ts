import { expect } from "vitest"
import { SafetyRun } from "./safetyRun.js"

/**
 * Milliseconds within which every honest validator must accept a new payment after the network has healed. Half of the runs need 2 s and
 * 99 of 100 about 50 s. The slowest are five validators of which one has stopped: a poll then has its 15 of 20 votes with a probability of 0.8,
 * and 20 such polls in a row need some 400 polls, which take 20 s on average here and rarely more than 100 s.
 */
const PROGRESS_MS = 300_000

/** Milliseconds for which faults occur. */
const CHAOS_MS = process.env.SERAC_SOAK ? 8_000 : 6_000

/** Runs a seed: an unsafe step throws, and the payment after the faults must be accepted in time. */
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
