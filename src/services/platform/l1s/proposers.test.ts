import { expect, test } from "vitest"
import { goldenTip } from "../../../../test/fixtures/readModel.js"
import { Random } from "../../../../test/fuzz/random.js"
import { neverPausing } from "../../../core/lib/pace.js"
import { readTables } from "../../../core/readmodel/tables.js"
import { newEpoch, type WrapperPosition, ZERO_EPOCH } from "../../../core/rules/epoch.js"
import { validatorSetAt } from "../../../core/rules/validatorSet.js"
import { Diff } from "../../../core/state/diff.js"
import { pastOf } from "../../../core/state/pastReader.js"
import { heightOf, tables } from "../../../core/state/tables.js"
import type { IndexedView, View } from "../../../core/state/view.js"
import { emptyView } from "../../../core/state/view.js"
import { EMPTY_NODE_ID, type NodeID } from "../../../core/types/id.js"
import type { Context } from "../../context.js"
import { heightsOfEpoch, proposersAt } from "./proposers.js"

const { store, rules } = goldenTip("history-v1.14.2")

function contextOf(state: View, height: bigint): Context {
  const view = state as IndexedView
  return { view, rules, height, past: () => pastOf(view, neverPausing) } as Partial<Context> as Context
}

test("the proposers between two heights are the validators that were active at all of them, or at some", async () => {
  const view = store.latest
  const tip = heightOf(view)
  const random = new Random(492)
  for (const [subnetID] of view.rows(tables.conversions)) {
    for (let i = 0; i < 40; i++) {
      const from = tip - BigInt(random.below(60))
      const to = from + BigInt(random.below(Number(tip - from) + 1))
      const counts = new Map<NodeID, bigint>()
      for (let at = from; at <= to; at++)
        for (const node of validatorSetAt(view, subnetID, at).keys()) counts.set(node, (counts.get(node) ?? 0n) + 1n)
      counts.delete(EMPTY_NODE_ID)
      const nodes = (isAlways: boolean) =>
        [...counts.keys()].filter((node) => (counts.get(node) === to - from + 1n) === isAlways).sort()
      expect(await proposersAt(contextOf(view, tip), subnetID, { from, to }, neverPausing)).toEqual({
        isKnown: true,
        fromHeight: from,
        toHeight: to,
        isAnyone: counts.size === 0,
        nodeIDs: nodes(true),
        uncertain: nodes(false),
      })
    }
  }
})

test("the height that the last block names is always among those of the epoch", async () => {
  const upgrades = { ...rules.upgrades, times: { ...rules.upgrades.times, granite: 0n } }
  const random = new Random(493)
  const start = 1_900_000_000n
  const chain = new Diff(emptyView)
  const times = [start]
  for (let i = 1; i < 400; i++) times.push((times.at(-1) as bigint) + BigInt(random.below(40)))
  for (const [height, time] of times.entries()) chain.put(readTables.blockTimes, BigInt(height), time)
  const context = { ...contextOf(chain, BigInt(times.length - 1)), rules: { ...rules, upgrades } }
  const heightAt = (time: bigint) => BigInt(times.findLastIndex((each) => each <= time))
  let last: WrapperPosition = { timestamp: start, pChainHeight: 0n, epoch: ZERO_EPOCH }
  for (let now = start; now < (times.at(-1) as bigint); now += BigInt(1 + random.below(90))) {
    const epoch = newEpoch(upgrades, last, now)
    const heights = await heightsOfEpoch(context, epoch, neverPausing)
    expect(heights?.from).toBeLessThanOrEqual(last.pChainHeight)
    expect(heights?.to).toBeGreaterThanOrEqual(last.pChainHeight)
    if (random.below(3) === 0) continue
    // A proposer knows blocks of up to ten seconds ahead, and names one that is up to half a minute old.
    const seen = heightAt(now + 10n - BigInt(random.below(40)))
    last = { timestamp: now, pChainHeight: seen > last.pChainHeight ? seen : last.pChainHeight, epoch }
  }
  expect(await heightsOfEpoch(context, ZERO_EPOCH, neverPausing)).toBeUndefined()
  const later = { pChainHeight: 400n, startTime: start }
  await expect(heightsOfEpoch(context, later, neverPausing)).rejects.toMatchObject({ code: "platform.future_height" })
})
