import type { Json } from "../../core/lib/json.js"
import type { Check } from "../../jsonrpc/health/monitor.js"
import type { Registry } from "../../jsonrpc/metrics/registry.js"
import type { FollowedChain } from "./followedChain.js"

/** The health check of a copy. It fails while the copy cannot continue. */
export function followedChecks(followed: FollowedChain): readonly Check[] {
  return [{ name: "follow", questions: ["health"], run: () => followReport(followed) }]
}

function followReport(followed: FollowedChain): Json {
  const { source, target, problem } = followed.status
  if (problem) throw new Error(problem.message)
  return {
    url: source?.url ?? null,
    kind: source?.kind ?? null,
    height: Number(followed.height),
    target: Number(target),
    lag: Number(lagOf(followed)),
  }
}

/** Adds the metrics of a copy. */
export function registerFollowedMetrics(registry: Registry, followed: FollowedChain): void {
  registry.gauge("serac_follow_target_height", "Height that the followed node is known to have", () =>
    Number(followed.status.target),
  )
  registry.gauge("serac_follow_lag_blocks", "Blocks that the copy lacks", () => Number(lagOf(followed)))
  registry.gauge("serac_follow_stopped", "1 while something keeps the copy from going on", () =>
    followed.status.problem ? 1 : 0,
  )
}

function lagOf({ status, height }: FollowedChain): bigint {
  return status.target > height ? status.target - height : 0n
}
