import { SafetyRun } from "../test/simulator/validators/safetyRun.js"

const PAYMENTS = 3
const LIMIT_MS = 60_000

/**
 * Simulates honest validators with messages of 1 to 50 ms, and prints for each payment how long it takes until all of them have accepted
 * its block, how many messages that needs, and how many polls a second one core handles.
 */
export function reportFinality(print: (line: string) => void): void {
  for (const validators of [5, 20, 100]) {
    const run = new SafetyRun({ seed: 1, validators, chaosMs: 0, maxLatencyMs: 49, hasFaults: false })
    const times: number[] = []
    let messages = 0
    const start = process.cpuUsage().user
    for (let i = 0; i < PAYMENTS; i++) {
      // A payment is there when no node has accepted it yet: the run makes the next one after each.
      run.simulation.runUntil(() => run.isPaymentWaiting, LIMIT_MS)
      const [before, at] = [run.links.sent, run.simulation.now]
      const { payments } = run
      run.simulation.runUntil(() => run.payments > payments, LIMIT_MS)
      const { height } = run
      run.simulation.runUntil(() => run.hasEverywhere(height), LIMIT_MS)
      times.push(run.simulation.now - at)
      messages += run.links.sent - before
    }
    const seconds = (process.cpuUsage().user - start) / 1e6
    const polls = run.nodes.reduce((sum, { engine }) => sum + (engine?.consensus?.polls.started ?? 0), 0)
    const median = times.sort((a, b) => a - b)[PAYMENTS >> 1] as number
    print(
      `validators: ${validators} in the simulator: final after ${median.toFixed(0)} ms, ${Math.round(messages / PAYMENTS).toLocaleString("en")} messages for a block, ` +
        `${Math.round(polls / seconds).toLocaleString("en")} polls per second of processor time`,
    )
  }
}
