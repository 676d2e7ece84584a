import { describe, expect, test } from "vitest"
import { blockFromJson, blockToJson, decodeBlock, topLevelBlock, txsOf } from "../../src/core/blocks/block.js"
import { encode } from "../../src/core/codec/decode.js"
import { toJson } from "../../src/core/codec/valueSink.js"
import { type Json, printJson } from "../../src/core/lib/json.js"
import { hrpOf } from "../../src/core/networks/names.js"
import { decodeTx, signedTxOf, topLevelTx } from "../../src/core/txs/tx.js"
import { fromHexText } from "../../src/core/types/hexText.js"
import { idText, P_CHAIN_ID } from "../../src/core/types/id.js"
import { decodeContainer, proposerContainer, verifyContainer } from "../../src/core/types/proposervm.js"
import { parseCertificate } from "../../src/platform/certificate.js"
import { goldenChains } from "../fixtures/goldenChain.js"
import { recordedCalls } from "../fixtures/recordedAnswers.js"
import { readRecording } from "../recordings/recordings.js"

interface Record {
  readonly blocks: readonly string[]
  readonly containers: readonly { id: string; bytes: string }[]
  readonly steps: readonly { name: string; txID: string; tx: string }[]
}

/** The networks of the recorded chains that are not the local one. */
const networkIDs: { readonly [start: string]: number } = { history: 424242, helicon: 236001 }

describe.each(goldenChains)("the recorded chain %s", (name) => {
  const record = readRecording<Record>(`golden/${name}/record.json`)
  const blocks = record.blocks.map((text) => decodeBlock(fromHexText(text)))
  const networkID = networkIDs[name.split("-")[0]!] ?? 12345
  const as = { hrp: hrpOf(networkID) }

  test("the blocks have the right parents and heights, and encode to the same bytes", () => {
    for (const [height, block] of blocks.entries()) {
      expect(block.height).toBe(BigInt(height))
      if (height > 0) expect(block.parentID).toBe(blocks[height - 1]!.id)
    }
  })

  test("every field encodes to the bytes that it was decoded from", () => {
    for (const block of blocks) {
      expect(encode(topLevelBlock, block)).toEqual(block.bytes)
      for (const tx of txsOf(block)) expect(signedTxOf(tx.unsignedTx, tx.credentials)).toEqual(tx)
    }
  })

  test("the containers have the right IDs, signatures and inner blocks", () => {
    for (const [i, { id, bytes }] of record.containers.entries()) {
      const raw = fromHexText(bytes)
      const inner = blocks[i + 1]!
      if (id === idText(inner.id)) {
        expect(raw).toEqual(inner.bytes)
        continue
      }
      const container = decodeContainer(raw)
      expect(idText(container.id)).toBe(id)
      expect(encode(proposerContainer, container)).toEqual(raw)
      expect(decodeBlock(container.block).id).toBe(inner.id)
      verifyContainer(container, P_CHAIN_ID, parseCertificate)
    }
  })

  test("the transactions have the right IDs and encode to the same bytes", () => {
    for (const step of record.steps.filter((each) => each.tx)) {
      const tx = decodeTx(fromHexText(step.tx))
      expect(idText(tx.id)).toBe(step.txID)
      expect(signedTxOf(tx.unsignedTx, tx.credentials)).toEqual(tx)
    }
  })

  test("the JSON of blocks and transactions equals that of AvalancheGo", () => {
    const txs = new Map(blocks.flatMap((block) => txsOf(block)).map((tx) => [idText(tx.id), tx]))
    let compared = 0
    for (const { method, params, body } of recordedCalls(name)) {
      if (params?.encoding !== "json" || !body.result) continue
      const { block, tx } = body.result as { readonly block?: Json; readonly tx?: Json }
      const known = txs.get(String(params.txID))
      if (method === "platform.getBlockByHeight") {
        expect(printJson(blockToJson(blocks[Number(params.height)]!, as))).toBe(printJson(block))
      } else if (method === "platform.getTx" && known) {
        expect(printJson(toJson(topLevelTx, known, as))).toBe(printJson(tx))
      } else continue
      compared++
    }
    expect(compared).toBeGreaterThan(40)
  })

  test("the blocks can be decoded from their JSON", () => {
    for (const block of blocks) {
      expect(blockFromJson(blockToJson(block, as), as, block.kind).bytes).toEqual(block.bytes)
    }
  })
})
