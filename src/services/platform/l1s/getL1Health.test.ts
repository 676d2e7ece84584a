import { expect, test } from "vitest"
import { localNetwork } from "../../../../test/fixtures/longChain.js"
import { readStore } from "../../../../test/fixtures/readModel.js"
import { type TestNodeOptions, testNode } from "../../../../test/fixtures/rpcNode.js"
import { idOfByte } from "../../../../test/fixtures/txs.js"
import { Diff } from "../../../core/state/diff.js"
import { putL1Validator } from "../../../core/state/l1Validators.js"
import { tables } from "../../../core/state/tables.js"
import type { IndexedView } from "../../../core/state/view.js"
import { type ID, idText, type NodeID } from "../../../core/types/id.js"
import { getL1Health } from "./getL1Health.js"

const hex = (number: number, size: number) => number.toString(16).padStart(2 * size, "0")
const owner = { threshold: 0, addresses: [] }

/** A chain with L1s of this many validators each. */
function storeWith(l1s: number, validators: number) {
  const store = readStore()
  const diff = new Diff(store.latest)
  diff.put(tables.lastAccepted, null, { id: idOfByte(200), height: 1n })
  diff.put(tables.timestamp, null, 1_900_000_000n)
  for (let l1 = 1; l1 <= l1s; l1++) {
    const subnetID = hex(l1, 32) as ID
    diff.put(tables.conversions, subnetID, { conversionID: idOfByte(1), chainID: idOfByte(2), address: new Uint8Array(20) })
    for (let i = 0; i < validators; i++)
      putL1Validator(diff, hex(l1 * 1_000 + i, 32) as ID, {
        subnetID,
        nodeID: hex(i + 1, 20) as NodeID,
        publicKey: new Uint8Array(96),
        remainingBalanceOwner: owner,
        deactivationOwner: owner,
        startTime: 0n,
        weight: 10n,
        minNonce: 0n,
        endAccumulatedFee: BigInt(1_000 * (i + 1)),
      })
  }
  store.commit(diff.edits)
  return store
}

/** Counts the rows that are read from a view. */
function counted(view: IndexedView, count: () => void): IndexedView {
  return new Proxy(view, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown
      if (typeof member !== "function") return member
      return (...given: unknown[]) => {
        count()
        const answer = Reflect.apply(member, target, given) as unknown
        return name === "rows" ? countedRows(answer as Iterable<unknown>, count) : answer
      }
    },
  })
}

function* countedRows(rows: Iterable<unknown>, count: () => void) {
  for (const row of rows) {
    count()
    yield row
  }
}

/** The number of reads of one call about the first L1. */
async function readsOf(l1s: number, validators: number): Promise<number> {
  let reads = 0
  const store = storeWith(l1s, validators)
  const counting = { view: () => counted(store.view(), () => reads++), latest: store.latest }
  const node = testNode({
    store: counting as Partial<TestNodeOptions["store"]> as TestNodeOptions["store"],
    ...localNetwork(),
    methods: [getL1Health],
  })
  const { result } = await node.call("platform.getL1Health", { subnetID: idText(hex(1, 32) as ID), until: 1_900_009_000 })
  expect(result).toMatchObject({ activeValidators: String(l1s * validators), totalWeight: String(10 * validators) })
  return reads
}

test("a call reads as much with one L1 as with many", async () => {
  const [alone, among, larger] = [await readsOf(1, 5), await readsOf(40, 5), await readsOf(1, 6)]
  expect(among).toBe(alone)
  // Each validator is an entry of the list of the L1 and a row of its own.
  expect(larger).toBe(alone + 2)
})
