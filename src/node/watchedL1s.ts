import type { Rules } from "../core/rules/context.js"
import { DEFAULT_SNOWMAN, forecastOf, healthOf, type L1Forecast } from "../core/rules/l1Health.js"
import { l1FeeStateOf } from "../core/rules/l1Record.js"
import { tables } from "../core/state/tables.js"
import { type ID, idText } from "../core/types/id.js"
import { l1Members } from "../services/platform/l1s/l1Facts.js"
import type { Store } from "../store/store.js"
import type { NodeApi } from "./api.js"

/** Most L1s whose health is a metric. Each is computed once for a block. */
export const MAX_WATCHED_L1S = 16

/** The health of an L1 in numbers. */
interface L1Numbers {
  /** The time at which it halts, Unix seconds; the end of the forecast if it lasts longer; 0 if it has halted. */
  readonly haltsAt: number
  readonly signingShare: number
  readonly activeValidators: number
}

/** Adds the metrics of L1s that an operator watches. */
export function registerL1Health({ metrics, node, isReady }: NodeApi, l1s: readonly ID[], rules: Rules, store: Store): void {
  if (l1s.length === 0) return
  let known: { readonly block: ID | undefined; readonly numbers: readonly (readonly [string, L1Numbers])[] } | undefined
  const numbersNow = () => {
    if (!isReady()) return []
    const block = store.latest.get(tables.lastAccepted, null)?.id
    // An ID that is not the subnet of an L1 has no numbers, until it is one.
    const existing = l1s.filter((each) => store.latest.get(tables.conversions, each))
    if (!known || known.block !== block) {
      const forecast = forecastOf(l1FeeStateOf(store.latest, rules))
      known = { block, numbers: existing.map((each) => [idText(each), numbersOf(each, forecast, store)]) }
    }
    return known.numbers
  }
  const gauges = (name: string, help: string, read: (numbers: L1Numbers) => number) =>
    metrics.gauges(name, help, "subnet", () => Object.fromEntries(numbersNow().map(([id, numbers]) => [id, read(numbers)])))
  gauges(
    "serac_l1_seconds_left",
    "Seconds until a watched L1 can no longer decide blocks, if nobody acts; 0 if it has halted",
    (each) => Math.max(0, each.haltsAt - Number(node.now())),
  )
  gauges(
    "serac_l1_signing_weight_share",
    "Share of the weight of a watched L1 that can sign Warp messages",
    (each) => each.signingShare,
  )
  gauges("serac_l1_active_validators", "Validators of a watched L1 that pay their fee", (each) => each.activeValidators)
}

function numbersOf(subnetID: ID, forecast: L1Forecast, { latest }: Store): L1Numbers {
  const health = healthOf([...l1Members(latest, subnetID)], forecast, DEFAULT_SNOWMAN)
  const { totalWeight, activeWeight, snowman, forecastUntil, validators } = health
  return {
    haltsAt: snowman.isMet && totalWeight > 0n ? Number(snowman.lostAt ?? forecastUntil) : 0,
    signingShare: totalWeight === 0n ? 0 : Number((activeWeight * 1_000_000n) / totalWeight) / 1_000_000,
    activeValidators: validators.filter(({ isActive }) => isActive).length,
  }
}
