import { expect, test } from "vitest"
import { txTypes } from "../../src/core/txs/index.js"
import type { JsonObject } from "../../src/page/data/decoded.js"
import { type FlowData, flowOf, type TxAmounts } from "../../src/page/data/flow.js"
import { parseJson } from "../../src/page/data/rpc.js"
import { platformMethods } from "../../src/services/platform/index.js"
import { localApi, serve } from "../fixtures/api.js"
import { goldenChains } from "../fixtures/goldenChain.js"
import { goldenTip } from "../fixtures/readModel.js"
import { testNode } from "../fixtures/rpcNode.js"

/** Returns the sum of one side of a flow for each asset; AVAX has no name. */
function sumsOf(ends: FlowData["sources"]): Record<string, bigint> {
  const sums: Record<string, bigint> = {}
  for (const { assetID = "AVAX", amount } of ends) sums[assetID] = (sums[assetID] ?? 0n) + amount
  return sums
}

/** Kinds that move nothing, or that the golden chains have only in genesis, without inputs. */
const WITHOUT_FLOW = ["AdvanceTimeTx"]

test("the two sides of the flow of every transaction of the golden chains have the same sum for each asset", async () => {
  const kinds = new Set<string>(WITHOUT_FLOW)
  for (const folder of goldenChains) {
    const { store, rules, genesis } = goldenTip(folder)
    const { node } = testNode({ store, rules, genesis, methods: platformMethods })
    await using server = await serve(localApi({ dialect: "contract", rules, node, snapshot: () => store.view() }).api)
    const ask = async <T>(method: string, params: object = {}): Promise<T> => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: `platform.${method}`, params })
      const headers = { "content-type": "application/json" }
      const response = await fetch(`${server.url}/ext/bc/P`, { method: "POST", headers, body })
      return (parseJson(await response.text()) as { result: T }).result
    }
    const { assetID } = await ask<{ assetID: string }>("getStakingAssetID")
    const { txs } = await ask<{ txs: readonly { txID: string; kind: string }[] }>("getTxs", { limit: 1024 })
    for (const { txID, kind } of txs) {
      const info = await ask<TxAmounts>("getTxInfo", { txID })
      const { tx } = await ask<{ tx: { unsignedTx: JsonObject } }>("getTx", { txID, encoding: "json" })
      const { sources, targets } = flowOf(tx.unsignedTx, info, assetID)
      // The stakers of genesis have a stake and no inputs.
      if (sources.length === 0) continue
      expect([kind, txID, sumsOf(targets)]).toEqual([kind, txID, sumsOf(sources)])
      kinds.add(kind)
    }
  }
  expect([...kinds].sort()).toEqual(txTypes.map(({ kind }) => kind).sort())
})
