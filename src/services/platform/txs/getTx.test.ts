import { expect, test } from "vitest"
import { askedChain } from "../../../../test/fixtures/askedChain.js"
import { testNode } from "../../../../test/fixtures/rpcNode.js"
import { tables } from "../../../core/state/tables.js"
import { EMPTY_ID } from "../../../core/types/id.js"
import { PrintedJson } from "../../../jsonrpc/printedJson.js"
import { AnswerCache, DEFAULT_CACHE_BYTES } from "../../cache/answerCache.js"
import { Contexts } from "../../contexts.js"
import { getTx } from "./getTx.js"

test("a transaction that is asked for as JSON again and again is printed twice at most (F13)", () => {
  const chain = askedChain()
  const { node } = testNode({ ...chain, methods: [] })
  const { context } = new Contexts({
    ...chain,
    dialect: "contract",
    node,
    cache: new AnswerCache(DEFAULT_CACHE_BYTES),
    snapshot: () => chain.store.view(),
  }).open()
  const [[txID] = [EMPTY_ID]] = context.view.rows(tables.txs)
  const ask = () => getTx.handler({ txID, encoding: "json" }, context, {})
  ask()
  const kept = ask()
  expect(kept).toBeInstanceOf(PrintedJson)
  expect(ask()).toBe(kept)
})
