import { describe, expect, test } from "vitest"
import type { Block } from "../../../../src/core/blocks/block.js"
import { type Json, printJson } from "../../../../src/core/lib/json.js"
import { toHexText } from "../../../../src/core/types/hexText.js"
import { idText } from "../../../../src/core/types/id.js"
import type { MethodsFixture, Name } from "../fixture.js"
import { dialects } from "./answers.js"

type Members = { readonly [name: string]: Json }

/** Checks every transaction and block of the chain as JSON and as bytes. */
export function formsAreAsRecorded({ nodes, made, id, blockAt, height }: MethodsFixture): void {
  describe.each(dialects)("under the dialect %s", (dialect) => {
    const node = nodes[dialect]
    const txJson = async (txID: string) => (await node.call<{ tx: Json }>("platform.getTx", { txID, encoding: "json" })).tx

    // The recorded forms are those of AvalancheGo v1.14.2, which executed the same blocks and answered the same calls.
    test("every kind of transaction has its JSON form", async () => {
      let lines = ""
      for (const name of Object.keys(made.txs) as Name[]) lines += `${printJson({ name, tx: await txJson(id(name)) })}\n`
      await expect(lines).toMatchFileSnapshot("./txs.jsonl")
    })

    test("every block has its bytes and its JSON form, by ID and by height", async () => {
      for (let at = 0; at <= height; at++) {
        const block = blockAt(at)
        const expected = { block: await jsonOf(block), encoding: "json" }
        for (const [method, params] of [
          ["platform.getBlock", { blockID: idText(block.id) }],
          ["platform.getBlockByHeight", { height: at }],
        ] as const) {
          expect(await node.call(method, params)).toEqual({ block: toHexText(block.bytes), encoding: "hex" })
          expect(await node.call(method, { ...params, encoding: "json" })).toEqual(expected)
        }
      }
    })

    /** A block's JSON: its members by its kind. D19: the contract's all have `txs`. */
    async function jsonOf(block: Block): Promise<Members> {
      const common = { parentID: idText(block.parentID), height: Number(block.height), id: idText(block.id) }
      const time = "time" in block ? { time: Number(block.time) } : {}
      const tx = "tx" in block ? { tx: await txJson(idText(block.tx.id)) } : {}
      const txs = "txs" in block ? { txs: await Promise.all(block.txs.map((each) => txJson(idText(each.id)))) } : {}
      return { ...common, ...time, ...tx, ...(dialect === "contract" ? { txs: [] } : {}), ...txs }
    }
  })
}
