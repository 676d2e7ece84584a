import { expect, test } from "vitest"
import { SafetyRun } from "./safetyRun.js"

/** So long after the network has healed, everybody must have accepted a new payment, milliseconds. */
const PROGRESS_MS = 180_000
const CHAOS_MS = 20_000

/** `npm run soak` runs 10,000, most of them with 5 to 20 validators, and 100 with 100. */
const seeds = Array.from({ length: process.env.SERAC_SOAK ? 10_000 : 12 }, (_, i) => i + 1)

test.each(seeds)("honest validators never disagree, and go on after the network has healed: seed %i", (seed) => {
  const run = new SafetyRun({ seed, validators: 5 + (seed % 3), chaosMs: CHAOS_MS, maxLatencyMs: 100 })
  run.simulation.runFor(CHAOS_MS)
  const { payments } = run
  const c0 = performance.now()
  const t0 = run.simulation.now
  const isPaid = run.simulation.runUntil(() => run.payments > payments, PROGRESS_MS)
  const { height } = run
  const isEverywhere = run.simulation.runUntil(() => run.hasEverywhere(height), PROGRESS_MS)
  if (process.env.SHOW) console.log(seed, isPaid, isEverywhere, run.payments, Math.round(run.simulation.now - t0), run.links.sent, Math.round(performance.now() - c0))
  expect([seed, isPaid, isEverywhere]).toEqual([seed, true, true])
})
