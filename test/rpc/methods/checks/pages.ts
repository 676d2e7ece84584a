import { describe, expect, test } from "vitest"
import type { Json } from "../../../../src/core/lib/json.js"
import { FRIEND, type MethodsFixture, PAYER } from "../fixture.js"
import type { RunningNode } from "../runningNode.js"
import { dialects, undone } from "./answers.js"

type Members = { readonly [name: string]: Json }

/** Checks that pages omit nothing and repeat nothing. */
export function pagesAreWhole({ nodes, unissued }: MethodsFixture): void {
  describe.each(dialects)("under the dialect %s", (dialect) => {
    const node = nodes[dialect]

    test.each(["", "P", "X", "C"])("pages of UTXOs contain each UTXO once, source %j", async (sourceChain) => {
      const params = { addresses: [FRIEND, PAYER], sourceChain }
      const { utxos } = await node.call<{ utxos: readonly string[] }>("platform.getUTXOs", params)
      expect(new Set(utxos).size).toBe(utxos.length)
      for (const limit of [1, 2, 3, 7]) expect(await utxoPages(node, params, limit)).toEqual(utxos)
    })

    test("a page of UTXOs continues where the last one ended, although that UTXO was spent", async () => {
      const { unsignedTx, hex } = unissued.payment
      const params = { addresses: [PAYER], limit: 1 }
      const all = await utxoPages(node, params, 1)
      await undone(node, async () => {
        await node.call("platform.issueTx", { tx: hex })
        const left = await utxoPages(node, params, 1)
        expect(left.filter((each) => all.includes(each)).length).toBe(
          all.length - (unsignedTx as { inputs: readonly unknown[] }).inputs.length,
        )
        const { utxos } = await node.call<{ utxos: readonly string[] }>("platform.getUTXOs", { addresses: [PAYER] })
        expect(left).toEqual(utxos)
      })
    })

    test.each([
      ["getTxsByAddress", "txs"],
      ["getRewardsByAddress", "rewards"],
    ])("pages of %s of any size hold the same, and end with none to follow", async (name, member) => {
      for (const address of [FRIEND, PAYER]) {
        const whole = await node.call<Members>(`platform.${name}`, { address, limit: 1024 })
        expect(whole.cursor).toBeNull()
        for (const limit of [1, 2, 3, "4", 5_000]) {
          expect(await eventPages(node, `platform.${name}`, member, { address, limit })).toEqual(whole[member])
        }
      }
    })

    test("a cursor keeps its place when UTXOs are added", async () => {
      const first = await node.call<Members>("platform.getTxsByAddress", { address: PAYER, limit: 2 })
      const rest = { address: PAYER, cursor: first.cursor as string }
      const before = await node.call("platform.getTxsByAddress", rest)
      await undone(node, async () => {
        await node.call("platform.issueTx", { tx: unissued.payment.hex })
        expect(await node.call("platform.getTxsByAddress", rest)).toEqual(before)
        const { txs } = await node.call<{ txs: readonly Members[] }>("platform.getTxsByAddress", { address: PAYER, limit: 1 })
        expect(txs[0]?.txID).toBe(unissued.payment.id)
      })
    })
  })
}

async function utxoPages(node: RunningNode, params: Members, limit: number): Promise<string[]> {
  const all: string[] = []
  for (let startIndex: Json = null; ; ) {
    const page: { utxos: readonly string[]; endIndex: Json } = await node.call("platform.getUTXOs", {
      ...params,
      limit,
      startIndex,
    })
    all.push(...page.utxos)
    if (page.utxos.length < limit) return all
    startIndex = page.endIndex
  }
}

async function eventPages(node: RunningNode, method: string, member: string, params: Members): Promise<Json[]> {
  const all: Json[] = []
  for (let cursor: Json = ""; cursor !== null; ) {
    const page: Members = await node.call(method, { ...params, cursor })
    all.push(...(page[member] as readonly Json[]))
    cursor = page.cursor as Json
  }
  return all
}
