import { expect, test } from "vitest"
import { askedChain, friend, payer } from "../../../test/fixtures/askedChain.js"
import { testNode } from "../../../test/fixtures/rpcNode.js"
import type { Json } from "../../lib/json.js"
import { addressText } from "../../types/address.js"
import { idText } from "../../types/id.js"
import { platformMethods } from "./index.js"

const chain = askedChain()
const node = testNode({ ...chain, methods: platformMethods })
const addresses = [addressText(friend, "local"), addressText(payer, "local")]

interface Page {
  readonly numFetched: string
  readonly utxos: readonly string[]
  readonly endIndex: { readonly address: string; readonly utxo: string }
  readonly encoding: string
}

async function page(params: { readonly [name: string]: Json }): Promise<Page> {
  const { result } = await node.call("platform.getUTXOs", { addresses, ...params }, "contract")
  expect((await node.call("platform.getUTXOs", { addresses, ...params }, "avalanchego")).result).toEqual(result)
  return result as unknown as Page
}

test("a limit of 0, none or above 1024 is 1024", async () => {
  const whole = await page({})
  expect(Number(whole.numFetched)).toBe(whole.utxos.length)
  for (const limit of [0, 1024, 5000, "2000"]) expect(await page({ limit })).toEqual(whole)
  expect((await page({ limit: "2" })).numFetched).toBe("2")
})

test("pages hold each UTXO once, of this chain and of those that wait", async () => {
  const { xChainID } = chain.genesis
  for (const sourceChain of ["", "P", "X", "avm", idText(xChainID)]) {
    const whole = await page({ sourceChain })
    for (const limit of [1, 2]) {
      const all: string[] = []
      for (let next: Page | undefined; ; ) {
        next = await page({ sourceChain, limit, ...(next ? { startIndex: { ...next.endIndex } } : {}) })
        all.push(...next.utxos)
        if (next.utxos.length < limit) break
      }
      expect(all).toEqual(whole.utxos)
    }
  }
  expect((await page({ sourceChain: "X" })).numFetched).toBe("3")
  expect(await page({ sourceChain: "avm" })).toEqual(await page({ sourceChain: idText(xChainID) }))
  expect(await page({ sourceChain: "P" })).toEqual(await page({}))
})

test("where nothing is found, the end is the highest address and no UTXO", async () => {
  const [highest] = [friend, payer]
    .sort()
    .slice(-1)
    .map((each) => addressText(each, "local"))
  expect(await page({ sourceChain: "C" })).toEqual({
    numFetched: "0",
    utxos: [],
    endIndex: { address: highest, utxo: "11111111111111111111111111111111LpoYY" },
    encoding: "hex",
  })
})
