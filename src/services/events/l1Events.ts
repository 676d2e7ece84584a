import type { Block } from "../../core/blocks/block.js"
import { printRfc3339 } from "../../core/lib/go/rfc3339.js"
import type { Json } from "../../core/lib/json.js"
import { blockTime } from "../../core/readmodel/blockTimes.js"
import type { Rules } from "../../core/rules/context.js"
import { DEFAULT_SNOWMAN, forecastOf, healthOf, type L1Health, type L1Member } from "../../core/rules/l1Health.js"
import { l1FeeStateAt } from "../../core/rules/l1Record.js"
import { tables } from "../../core/state/tables.js"
import type { View } from "../../core/state/view.js"
import { type ID, idText, nodeIDText } from "../../core/types/id.js"
import { l1MembersThen } from "../platform/l1s/l1Facts.js"

/** A threshold is near if it is lost within this time, seconds: seven days. */
const NEAR_SECONDS = 604_800n

/** The event data of one L1. */
export type L1Event = { readonly [name: string]: Json }

/**
 * Returns what a block means for some L1s: the validators that no longer pay, and the thresholds that are near or lost from now on. A proposal
 * means nothing before its option. There are no events if the record of L1s begins later.
 */
export function l1EventsOf(view: View, rules: Rules, subnetIDs: readonly ID[], block: Block): readonly L1Event[] {
  const existing = subnetIDs.filter((each) => view.get(tables.conversions, each))
  if (block.height === 0n || block.kind.endsWith("ProposalBlock") || existing.length === 0) return []
  const isOption = /(Commit|Abort)Block$/.test(block.kind)
  const momentBefore = momentsAt(view, rules, isOption ? block.height - 2n : block.height - 1n)
  const momentAfter = momentsAt(view, rules, block.height)
  return existing.flatMap((subnetID): readonly L1Event[] => {
    const [before, after] = [momentBefore(subnetID), momentAfter(subnetID)]
    if (!after) return []
    const place = { subnetID: idText(subnetID), height: block.height.toString(), blockID: idText(block.id) }
    const facts = { ...place, timestamp: printRfc3339(after.time) }
    return [...deactivations(before, after), ...crossings(before, after)].map((each) => ({ ...facts, ...each }))
  })
}

/** An L1 after a block. */
interface L1Moment {
  readonly members: ReadonlyMap<string, L1Member>
  readonly health: L1Health
  readonly time: bigint
}

/** Returns what L1s are after the block of a height, which share the forecast of the prices. */
function momentsAt(view: View, rules: Rules, height: bigint): (subnetID: ID) => L1Moment | undefined {
  if (height < 0n) return () => undefined
  const time = blockTime(view, height)
  const state = l1FeeStateAt(view, rules, height, time)
  if (!state) return () => undefined
  const forecast = forecastOf(state)
  return (subnetID) => {
    const members = l1MembersThen(view, subnetID, height)
    return members.size > 0 ? { members, health: healthOf([...members.values()], forecast, DEFAULT_SNOWMAN), time } : undefined
  }
}

function deactivations(before: L1Moment | undefined, { members }: L1Moment): readonly L1Event[] {
  const events: L1Event[] = []
  for (const [place, { nodeID, validationID, weight, endAccumulatedFee }] of before?.members ?? []) {
    const now = members.get(place)
    if (validationID === undefined || endAccumulatedFee === 0n || !now || now.endAccumulatedFee > 0n) continue
    const ids = { validationID: idText(validationID), nodeID: nodeIDText(nodeID) }
    events.push({ kind: "deactivated", ...ids, weight: weight.toString() })
  }
  return events
}

const STATES = ["kept", "near", "lost"] as const

/** The thresholds that have become worse. */
function crossings(before: L1Moment | undefined, after: L1Moment): readonly L1Event[] {
  return (["snowman", "warp"] as const).flatMap((threshold): L1Event[] => {
    const stateIn = ({ health, time }: L1Moment) => {
      const { isMet, lostAt } = health[threshold]
      return STATES.indexOf(!isMet ? "lost" : lostAt !== undefined && lostAt - time <= NEAR_SECONDS ? "near" : "kept")
    }
    const now = stateIn(after)
    if (now <= (before ? stateIn(before) : 0)) return []
    const { lostAt } = after.health[threshold]
    return [{ kind: STATES[now] as string, threshold, ...(lostAt === undefined ? {} : { lostAt: printRfc3339(lostAt) }) }]
  })
}
