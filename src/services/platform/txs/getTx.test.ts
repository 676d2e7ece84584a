import { expect, test } from "vitest"
import { exampleChain } from "../../../../test/fixtures/exampleChain.js"
import { testNode } from "../../../../test/fixtures/rpcNode.js"
import { print } from "../../../core/codec/textSink.js"
import { Diff } from "../../../core/state/diff.js"
import { TxStatus, tables } from "../../../core/state/tables.js"
import { signedTxOf } from "../../../core/txs/tx.js"
import type { Address } from "../../../core/types/address.js"
import { EMPTY_ID, idText, P_CHAIN_ID } from "../../../core/types/id.js"
import type { AnyMethod } from "../../../jsonrpc/method.js"
import { getTx } from "./getTx.js"

/** A node over a chain, and the outcomes of the method's handler. */
function nodeOver(chain: ReturnType<typeof exampleChain>) {
  const outcomes: unknown[] = []
  const counted: AnyMethod = {
    ...getTx,
    handler(params, context, source) {
      const outcome = getTx.handler(params as never, context, source)
      outcomes.push(outcome)
      return outcome
    },
  }
  return { node: testNode({ ...chain, methods: [counted] }), outcomes }
}

test("a transaction that is asked for as JSON again and again is printed twice at most (F13)", async () => {
  const chain = exampleChain()
  const { node, outcomes } = nodeOver(chain)
  const [[txID] = [EMPTY_ID]] = chain.store.latest.rows(tables.txs)
  const ask = () => node.resultText("platform.getTx", { txID: idText(txID), encoding: "json" })
  const first = await ask()
  for (let i = 0; i < 3; i++) expect(await ask()).toBe(first)
  node.changed(chain.blocks[0])
  expect(await ask()).toBe(first)
  expect(outcomes).toHaveLength(2)
})

test("a large transaction is printed in steps, and as a small one is", async () => {
  const chain = exampleChain()
  const addresses = Array.from({ length: 5000 }, (_, i) => i.toString(16).padStart(40, "0") as Address)
  const output = { kind: "TransferOutput" as const, amount: 1n, locktime: 0n, threshold: 1, addresses }
  const common = { networkID: 12345, blockchainID: P_CHAIN_ID, memo: new Uint8Array(0), inputs: [] }
  const large = signedTxOf({ kind: "BaseTx", ...common, outputs: [{ assetID: EMPTY_ID, output }] }, [])
  const edits = new Diff(chain.store.latest)
  edits.put(tables.txs, large.id, { status: TxStatus.committed, height: 1n, bytes: large.bytes })
  chain.store.commit(edits.edits)
  const { node, outcomes } = nodeOver(chain)
  const text = await node.resultText("platform.getTx", { txID: idText(large.id), encoding: "json" })
  expect(text).toBe(print(getTx.result, { tx: large, encoding: "json" }, { hrp: node.node.hrp }))
  expect(outcomes[0]).toBeInstanceOf(Promise)
})
