import { expect, test } from "vitest"
import { idOfByte, signedFixture } from "../../../../test/fixtures/txs.js"
import { Diff } from "../../state/diff.js"
import { tables } from "../../state/tables.js"
import { emptyView } from "../../state/view.js"
import { NetworkMempool, type NetworkMempoolOptions } from "./networkMempool.js"

test("a transaction of an undecided block is being processed, whether this node had it before or not", () => {
  const tx = signedFixture("BaseTx")
  const preferred = new Diff(emptyView)
  const node = { preferredState: () => preferred } as Partial<NetworkMempoolOptions["node"]>
  const mempool = new NetworkMempool({ node } as NetworkMempoolOptions)
  expect(mempool.statusOf(tx.id)).toBeUndefined()
  preferred.put(tables.txs, tx.id, { status: 4, height: 1n, bytes: tx.bytes })
  expect([mempool.statusOf(tx.id), mempool.statusOf(idOfByte(1))]).toEqual([{ status: "Processing" }, undefined])
})
