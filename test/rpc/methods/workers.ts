import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Node } from "../../../src/node/node.js"
import type { PrivateNodeOptions } from "../../../src/node/privateNode.js"
import { buildSerac } from "../../cli/serac.js"

/** The number of API workers that `SERAC_API_WORKERS` asks for. */
export const WORKERS: number = Number(process.env.SERAC_API_WORKERS ?? 1)

let program: string | undefined

/** Options of a node whose calls several workers answer, from a bundle of these sources; empty without workers. */
export function workersWanted(): Partial<PrivateNodeOptions> {
  if (WORKERS === 1) return {}
  if (program === undefined) {
    const { bin, remove } = buildSerac()
    process.once("exit", remove)
    program = join(bin, "../../dist/apiWorker.js")
  }
  const dataDir = mkdtempSync(join(tmpdir(), "serac-workers-"))
  process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }))
  return { isEphemeral: false, dataDir, apiWorkers: WORKERS, apiWorkerProgram: program }
}

/** Waits until every worker takes connections. */
export async function workersReady({ api }: Node): Promise<void> {
  const isReady = () => {
    const { ready, count } = (api.health.report("health", []).checks.apiWorkers?.message ?? {}) as Record<string, number>
    return ready === count
  }
  while (!isReady()) await new Promise((resolve) => setImmediate(resolve))
}
