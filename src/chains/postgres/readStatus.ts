import type { Json } from "../../core/lib/json.js"
import type { Registry } from "../../jsonrpc/metrics/registry.js"
import type { PastRows } from "../../postgres/read/pastRows.js"

/** The state of a read server. */
export interface ReadStatus {
  /** The height of the state here. */
  readonly height: bigint
  /** The height of the last published block, if it is known. */
  readonly tip: bigint | undefined
  /** True if the server has reached the tip once since it started or since the chain was reverted. */
  readonly isCaughtUp: boolean
  /** The reason why nothing is read from the database at present. */
  readonly problem: Error | undefined
}

/** Reports the progress of a read server. Throws while the server cannot follow the database. */
export function readReport({ height, tip, isCaughtUp, problem }: ReadStatus): Json {
  if (problem) throw new Error(problem.message)
  if (!isCaughtUp) throw new Error(tip === undefined ? "nothing is published yet" : `catching up: height ${height} of ${tip}`)
  return { height: Number(height), tip: Number(tip ?? 0n) }
}

/** Adds the metrics of a read server. */
export function registerReadMetrics(registry: Registry, status: () => ReadStatus, past: PastRows): void {
  const lag = ({ tip = 0n, height }: ReadStatus) => Number(tip > height ? tip - height : 0n)
  registry.gauge("serac_read_tip_height", "Height of the last published block", () => Number(status().tip ?? 0n))
  registry.gauge("serac_read_lag_blocks", "Blocks of the database that this server has not executed yet", () => lag(status()))
  registry.gauge("serac_read_failing", "1 while the database cannot be read", () => (status().problem ? 1 : 0))
  registry.gauge("serac_read_cache_bytes", "Bytes that cached rows of the database take", () => past.size)
  registry.gauge("serac_read_statements", "Statements that were sent to read rows of the past", () => past.counts.statements)
}
