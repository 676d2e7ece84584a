import { expect, test } from "vitest"
import { exampleChain } from "../../../../test/fixtures/exampleChain.js"
import { testNode } from "../../../../test/fixtures/rpcNode.js"
import { printerOf } from "../../../core/codec/print.js"
import type { Work } from "../../../core/lib/work.js"
import { Diff } from "../../../core/state/diff.js"
import { TxStatus, tables } from "../../../core/state/tables.js"
import { signedTxOf } from "../../../core/txs/tx.js"
import type { Address } from "../../../core/types/address.js"
import { EMPTY_ID, P_CHAIN_ID } from "../../../core/types/id.js"
import { PrintedJson } from "../../../jsonrpc/printedJson.js"
import { AnswerCache, DEFAULT_CACHE_BYTES } from "../../cache/answerCache.js"
import type { Context } from "../../context.js"
import { Contexts } from "../../contexts.js"
import { textFormatOf } from "../textFormat.js"
import { getTx } from "./getTx.js"

/** A context over the state of a chain. */
function contextOf(chain: ReturnType<typeof exampleChain>): Context {
  const { node } = testNode({ ...chain, methods: [] })
  const { context } = new Contexts({
    ...chain,
    dialect: "contract",
    node,
    cache: new AnswerCache(DEFAULT_CACHE_BYTES),
    snapshot: () => chain.store.view(),
  }).open()
  return context
}

test("a transaction that is asked for as JSON again and again is printed twice at most (F13)", () => {
  const context = contextOf(exampleChain())
  const [[txID] = [EMPTY_ID]] = context.view.rows(tables.txs)
  const ask = () => getTx.handler({ txID, encoding: "json" }, context, {})
  ask()
  const kept = ask()
  expect(kept).toBeInstanceOf(PrintedJson)
  expect(ask()).toBe(kept)
})

test("a large transaction is printed in steps, and as a small one is", () => {
  const chain = exampleChain()
  const addresses = Array.from({ length: 5000 }, (_, i) => i.toString(16).padStart(40, "0") as Address)
  const output = { kind: "TransferOutput" as const, amount: 1n, locktime: 0n, threshold: 1, addresses }
  const common = { networkID: 12345, blockchainID: P_CHAIN_ID, memo: new Uint8Array(0), inputs: [] }
  const large = signedTxOf({ kind: "BaseTx", ...common, outputs: [{ assetID: EMPTY_ID, output }] }, [])
  const edits = new Diff(chain.store.latest)
  edits.put(tables.txs, large.id, { status: TxStatus.committed, height: 1n, bytes: large.bytes })
  chain.store.commit(edits.edits)
  const context = contextOf(chain)
  const work = getTx.handler({ txID: large.id, encoding: "json" }, context, {}) as Work<PrintedJson>
  let steps = 1
  let step = work.next()
  for (; !step.done; step = work.next()) steps++
  expect(steps).toBeGreaterThan(5000 / 64)
  const expected = printerOf(getTx.result)({ tx: large, encoding: "json" }, textFormatOf(context))
  expect(Buffer.concat(step.value.pieces).toString()).toBe(expected)
})
