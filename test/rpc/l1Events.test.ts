import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { subscribe } from "../../src/client/events/subscribe.js"
import { blockAt } from "../../src/core/blocks/acceptedBlocks.js"
import { silentLog } from "../../src/core/lib/log.js"
import { validatorSetAt } from "../../src/core/rules/validatorSet.js"
import { heightOf, tables } from "../../src/core/state/tables.js"
import { EMPTY_NODE_ID, idText, nodeIDText, parseID } from "../../src/core/types/id.js"
import { startDevnet } from "../../src/devnet/devnet.js"
import { l1EventsOf } from "../../src/services/events/l1Events.js"
import { startPrivateNode } from "../../src/sources/private/privateNode.js"
import { goldenTip } from "../fixtures/readModel.js"
import { run } from "../terminal.js"

test.each(["local-v1.14.2", "history-v1.14.2", "helicon-v1.15.0"])(
  "%s: each node whose weight becomes that of inactive validators has an event",
  (folder) => {
    const { store, rules } = goldenTip(folder)
    const view = store.latest
    let count = 0
    for (const [subnetID] of view.rows(tables.conversions)) {
      for (let height = 1n; height <= heightOf(view); height++) {
        const [before, after] = [validatorSetAt(view, subnetID, height - 1n), validatorSetAt(view, subnetID, height)]
        const inactive = (set: typeof before) => set.get(EMPTY_NODE_ID)?.weight ?? 0n
        const left = [...before.keys()].filter((node) => node !== EMPTY_NODE_ID && !after.has(node))
        const expected = inactive(after) > inactive(before) ? left.map(nodeIDText) : []
        const events = l1EventsOf(view, rules, [subnetID], blockAt(view, height)!)
        expect(events.filter(({ kind }) => kind === "deactivated").map(({ nodeID }) => nodeID)).toEqual(expected)
        expect(events.every((each) => each.height === String(height) && each.subnetID === idText(subnetID))).toBe(true)
        count += expected.length
      }
    }
    expect(count).toBeGreaterThan(0)
  },
)

test("a watched L1 is near its halt, a validator stops to pay, and the thresholds are lost, in the stream and in `serac watch`", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "serac-l1-events-"))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const start = 1_900_000_000n
  const devnet = await startDevnet({ dataDir, port: false, accounts: 0, startTime: start, freezeTime: true })
  const { subnetID, validators } = await devnet.dev.createL1({ validators: 2, balance: 1_000_000 })
  const from = (await devnet.rpc("platform.getHeight")).height + 1n
  // A block before the threshold is near, one after it, and the end of all balances.
  for (const seconds of [100n, 400_000n, 1_000_000n]) {
    await devnet.dev.setTime({ to: start + seconds, frozen: true })
    await devnet.dev.mine({ blocks: 1, filler: true })
  }
  await devnet.stop()
  const base = { choice: { ruleFlags: {}, now: 0n }, dialect: "contract", isPublic: false } as const
  const node = await startPrivateNode({
    ...base,
    dataDir,
    log: silentLog,
    wall: Date.now,
    http: { port: 0 },
    watchedL1s: [parseID(subnetID)],
  })
  onTestFinished(() => node.stop())
  const { url } = node.listening!
  /** The events about L1s up to the block of a height. */
  const eventsOf = async (options: object, last: bigint) => {
    const events = []
    for await (const each of await subscribe(url, { from, ...options })) {
      events.push(each)
      if (each.height === last && each.event === "block") break
    }
    return events.flatMap((each) => (each.event === "l1" ? [each] : []))
  }
  const all = await eventsOf({}, node.height())
  const ends = { lostAt: "2030-03-29T07:33:20Z" }
  const facts = all.map(({ kind, threshold, nodeID, lostAt }) => ({ kind, threshold, nodeID, lostAt }))
  const [near, gone] = [all[0]!.timestamp, all.at(-1)!.timestamp]
  expect([near, gone]).toEqual(["2030-03-22T08:53:20Z", ends.lostAt])
  expect(facts.slice(0, 2)).toEqual(
    ["snowman", "warp"].map((threshold) => ({ kind: "near", threshold, nodeID: undefined, ...ends })),
  )
  expect(new Set(facts.slice(2, 4).map(({ nodeID }) => nodeID))).toEqual(new Set(validators.map(({ nodeID }) => nodeID)))
  expect(facts.slice(4)).toEqual(
    ["snowman", "warp"].map((threshold) => ({ kind: "lost", threshold, nodeID: undefined, lostAt: undefined })),
  )
  // A filter of subnets has the events, and other filters do not.
  expect(await eventsOf({ subnets: [subnetID] }, all.at(-1)!.height)).toEqual(all)
  expect(await eventsOf({ kinds: ["BaseTx"] }, node.height())).toEqual([])
  const { stdout } = await run(["watch", "--from", String(from), "--blocks", String(node.height() - from + 1n), "--url", url])
  const lines = stdout.split("\n").filter((line) => line.slice(22).startsWith("l1"))
  expect(lines[0]).toMatch(new RegExp(`^\\S+  l1 +\\d+ +${subnetID}  can decide blocks until ${ends.lostAt}$`))
  expect(lines[2]).toMatch(/ NodeID-\w+ no longer pays$/)
  expect(lines[5]).toMatch(/ can no longer sign Warp messages$/)
})
