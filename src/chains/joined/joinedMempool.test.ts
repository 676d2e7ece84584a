import { expect, test } from "vitest"
import { idOfByte, signedFixture } from "../../../test/fixtures/txs.js"
import { Diff } from "../../core/state/diff.js"
import { emptyView } from "../../core/state/emptyView.js"
import { tables } from "../../core/state/tables.js"
import { JoinedMempool, type JoinedMempoolOptions } from "./joinedMempool.js"

test("a transaction of an undecided block is being processed, whether this node had it before or not", () => {
  const tx = signedFixture("BaseTx")
  const preferred = new Diff(emptyView)
  const status = { preferredState: () => preferred } as Partial<JoinedMempoolOptions["status"]>
  const mempool = new JoinedMempool({ status } as JoinedMempoolOptions)
  expect(mempool.statusOf(tx.id)).toBeUndefined()
  preferred.put(tables.txs, tx.id, { status: 4, height: 1n, bytes: tx.bytes })
  expect([mempool.statusOf(tx.id), mempool.statusOf(idOfByte(1))]).toEqual([{ status: "Processing" }, undefined])
})
