import { expect, test } from "vitest"
import { goldenChains } from "../../../../test/fixtures/goldenChain.js"
import { type ReadChain, replayGolden } from "../../../../test/fixtures/readModel.js"
import { neverPausing } from "../../../core/lib/pace.js"
import { l1FeeStateOf } from "../../../core/rules/l1Record.js"
import { Diff } from "../../../core/state/diff.js"
import { pastOf } from "../../../core/state/pastReader.js"
import { heightOf, tables } from "../../../core/state/tables.js"
import type { ID } from "../../../core/types/id.js"
import type { Context } from "../../context.js"
import { type L1At, l1At, l1Members } from "./l1Facts.js"

/** The validators and fees of each L1 after each block, as they were at that time. */
type Told = Map<bigint, Map<ID, L1At>>

function tell(told: Told, { store: { latest }, rules }: ReadChain): void {
  const subnets = [...latest.rows(tables.conversions)].map(([subnetID]) => subnetID)
  const state = l1FeeStateOf(latest, rules)
  told.set(heightOf(latest), new Map(subnets.map((each) => [each, { members: [...l1Members(latest, each)], state }])))
}

const askAt = ({ store: { latest: view }, rules }: ReadChain, subnetID: ID, height: bigint): Promise<L1At> => {
  const context = { view, rules, height: heightOf(view), past: (pace) => pastOf(view, pace) } satisfies Partial<Context>
  return l1At(context as Partial<Context> as Context, subnetID, height, neverPausing)
}

test.each(goldenChains)("%s: the validators and fees of an L1 at a past height are those that it had then", async (folder) => {
  const told: Told = new Map()
  const chain = replayGolden(folder, (replayed) => tell(told, replayed))
  for (const [height, l1s] of told)
    for (const [subnetID, expected] of l1s) expect(await askAt(chain, subnetID, height)).toEqual(expected)
})

test("a record that begins later has no earlier heights, and is right from there on", async () => {
  const told: Told = new Map()
  const start = 210n
  const chain = replayGolden("history-v1.14.2", (replayed, { height }) => {
    tell(told, replayed)
    if (height !== start) return
    // A version without a record accepted the blocks up to here.
    const diff = new Diff(replayed.store.latest)
    for (const [key] of diff.rows(tables.l1FeeRecord)) diff.delete(tables.l1FeeRecord, key)
    for (const [key] of diff.rows(tables.l1MemberDiffs)) diff.delete(tables.l1MemberDiffs, key)
    replayed.store.commit(diff.edits)
  })
  for (const [height, l1s] of told) {
    for (const [subnetID, expected] of l1s) {
      const answer = askAt(chain, subnetID, height)
      if (height <= start) await expect(answer).rejects.toMatchObject({ code: "platform.height_not_kept" })
      else expect(await answer).toEqual(expected)
    }
  }
})
