import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { localNetwork } from "../test/fixtures/longChain.js"
import { avalancheGo, localFlags } from "../test/network/avalanchego.js"
import { MixedNetwork } from "../test/network/mixedNetwork.js"

const PAYMENTS = 25
const LIMIT_MS = 60_000
/** The interval between polls of the nodes: a payment takes a few hundred milliseconds. */
const PAUSE_MS = 10

/**
 * Runs five validators of AvalancheGo (`SERAC_AVALANCHEGO`), then five of Serac, and issues payments one after the other. Prints the time
 * from issue to accepted on all five, and the processor time and memory of one validator.
 */
export async function reportValidators(print: (line: string) => void): Promise<void> {
  if (!avalancheGo) return print("validators: five beside AvalancheGo: skipped, SERAC_AVALANCHEGO names no binary")
  for (const [name, theirs] of [
    ["AvalancheGo", 5],
    ["Serac", 0],
  ] as const) {
    const network = new MixedNetwork({ flags: localFlags, theirs, bin: resolve("bin/serac") })
    try {
      await network.start()
      const { rules } = localNetwork()
      const cpuBefore = network.processIDs.map(cpuSecondsOf)
      const times: number[] = []
      for (let i = 0; i < PAYMENTS; i++) {
        const start = performance.now()
        const tx = await network.pay(network.urls[i % 5] as string, rules)
        await network.untilCommitted(tx, LIMIT_MS, PAUSE_MS)
        times.push(performance.now() - start)
      }
      const median = times.sort((a, b) => a - b)[PAYMENTS >> 1] as number
      const cpu = network.processIDs.map((pid, i) => cpuSecondsOf(pid) - (cpuBefore[i] as number))
      const memory = network.processIDs.map(megabytesOf)
      print(
        `validators: five of ${name}: ${median.toFixed(0)} ms from issue to accepted on all (median of ${PAYMENTS}); each ` +
          `${((1000 * meanOf(cpu)) / PAYMENTS).toFixed(0)} ms of processor time for a payment, ${meanOf(memory).toFixed(0)} MB`,
      )
    } finally {
      await network.stop()
    }
  }
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** User and system time of a process; Linux counts hundredths of a second. */
function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") as string[]
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function megabytesOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1000
}
