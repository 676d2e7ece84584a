import { describe, expect, test } from "vitest"
import { blockFromJson, blockToJson, decodeBlock } from "../../src/core/blocks/block.js"
import { blockTypes } from "../../src/core/blocks/kinds.js"
import { decode, encode } from "../../src/core/codec/decode.js"
import type { Codec } from "../../src/core/codec/schema.js"
import { toJson } from "../../src/core/codec/valueSink.js"
import { type Json, printJson } from "../../src/core/lib/json.js"
import { parseJson } from "../../src/core/lib/parseJson.js"
import { txTypes } from "../../src/core/txs/index.js"
import { decodeTx, tx as txCodec, txFromJson } from "../../src/core/txs/tx.js"
import { unsignedTx } from "../../src/core/txs/unsignedTx.js"
import { credential } from "../../src/core/types/credential.js"
import { proposerContainer } from "../../src/core/types/proposervm.js"
import { topLevelUtxo } from "../../src/core/types/utxo.js"
import { signedMessage, unsignedMessage } from "../../src/core/types/warp/message.js"
import { payload } from "../../src/core/types/warp/payload.js"
import { conversionData, pChainMessage } from "../../src/core/types/warp/pChainMessage.js"
import { attempts, Random, seed } from "./random.js"
import { HRP, randomValue } from "./randomValue.js"

const as = { hrp: HRP }
const random = new Random(seed("random values from the schemas"))
const tries = attempts(300)

/** JSON text without computed IDs, so that it can be compared with the drawn value. */
function shown(json: Json): string {
  return printJson(withoutIDs(json))
}

function withoutIDs(json: Json): Json {
  if (Array.isArray(json)) return json.map(withoutIDs)
  if (json === null || typeof json !== "object") return json
  const isSigned = "unsignedTx" in json || "parentID" in json
  const members = Object.entries(json).filter(([name]) => !(isSigned && name === "id"))
  return Object.fromEntries(members.map(([name, value]) => [name, withoutIDs(value)]))
}

describe("transactions made from their schema come back the same from JSON and from bytes", () => {
  test.each(txTypes.map(({ kind }) => kind))("%s", (kind) => {
    for (let i = 0; i < tries; i++) {
      const given = {
        unsignedTx: randomValue(unsignedTx.ofKind(kind)!.jsonSchema, random),
        credentials: randomValue({ type: "array", items: credential.jsonSchema }, random),
      }
      const tx = txFromJson(parseJson(printJson(given)), as)
      expect(tx.unsignedTx.kind).toBe(kind)
      expect(shown(toJson(txCodec, tx, as))).toBe(shown(given))
      const again = decodeTx(tx.bytes)
      expect(again).toEqual(tx)
      expect(txFromJson(toJson(txCodec, again, as), as)).toEqual(tx)
    }
  })
})

describe("blocks made from their schema come back the same from JSON and from bytes", () => {
  test.each(blockTypes)("$kind", ({ kind, codec }) => {
    for (let i = 0; i < tries / 5; i++) {
      const given = randomValue(codec.jsonSchema, random)
      const block = blockFromJson(parseJson(printJson(given)), as, kind)
      expect(shown(blockToJson(block, as))).toBe(shown(given))
      const again = decodeBlock(block.bytes)
      expect(again).toEqual(block)
      expect(blockFromJson(blockToJson(again, as), as, kind)).toEqual(block)
    }
  })
})

interface Structure {
  readonly name: string
  readonly check: () => void
}

function structure<T>(name: string, codec: Codec<T>): Structure {
  return {
    name,
    check() {
      const given = randomValue(codec.jsonSchema, random)
      const value = codec.fromJson(parseJson(printJson(given)), as)
      const again = decode(codec, encode(codec, value))
      expect(again).toEqual(value)
      expect(printJson(toJson(codec, again, as))).toBe(printJson(given))
    },
  }
}

describe("other structures made from their schema come back the same from JSON and from bytes", () => {
  test.each([
    structure("UTXO", topLevelUtxo),
    structure("Warp message", signedMessage),
    structure("unsigned Warp message", unsignedMessage),
    structure("Warp payload", payload),
    structure("P-Chain message", pChainMessage),
    structure("conversion data", conversionData),
    structure("ProposerVM wrapper", proposerContainer),
  ])("$name", ({ check }) => {
    for (let i = 0; i < tries; i++) check()
  })
})
