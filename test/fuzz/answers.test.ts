import { describe, expect, test } from "vitest"
import { nodeClient } from "../../src/client/client.js"
import { toJson } from "../../src/core/codec/valueSink.js"
import { printJson } from "../../src/core/lib/json.js"
import { parseJson } from "../../src/core/lib/parseJson.js"
import { txTypes } from "../../src/core/txs/index.js"
import { tx, txFromJson } from "../../src/core/txs/tx.js"
import { unsignedTx } from "../../src/core/txs/unsignedTx.js"
import { credential } from "../../src/core/types/credential.js"
import { answerOf } from "../../src/jsonrpc/answer.js"
import { Random, seed } from "./random.js"
import { HRP, randomValue } from "./randomValue.js"

const as = { hrp: HRP }
const random = new Random(seed("answers of the library"))

// The text of an answer does not distinguish a small amount from a small number. `toJson` does, and its types are those that the library promises.
describe("a transaction in an answer has bigints and numbers where its JSON type has them", () => {
  test.each(txTypes.map(({ kind }) => kind))("%s", async (kind) => {
    for (let i = 0; i < 20; i++) {
      const given = {
        unsignedTx: randomValue(unsignedTx.ofKind(kind)!.jsonSchema, random),
        credentials: [randomValue(credential.jsonSchema, random)],
      }
      const json = toJson(tx, txFromJson(given, as, kind), as)
      expect(answerOf(parseJson(printJson(json)), tx.jsonSchema)).toEqual(json)
      const call = nodeClient(async () => printJson({ result: { tx: json, encoding: "json" } }))
      expect((await call("platform.getTx", { txID: "", encoding: "json" })).tx).toEqual(json)
    }
  })
})
