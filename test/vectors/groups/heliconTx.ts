import { encode } from "../../../src/core/codec/decode.js"
import { print } from "../../../src/core/codec/textSink.js"
import { toJson } from "../../../src/core/codec/valueSink.js"
import { sha256 } from "../../../src/core/crypto/hash.js"
import { Invalid } from "../../../src/core/lib/invalid.js"
import { printJson } from "../../../src/core/lib/json.js"
import { parseJson } from "../../../src/core/lib/parseJson.js"
import { hrpOf } from "../../../src/core/networks/names.js"
import type { Dimensions } from "../../../src/core/networks/params.js"
import { toGas } from "../../../src/core/rules/gas.js"
import { complexityOf } from "../../../src/core/txs/execute.js"
import { decodeTx, signedTxOf, topLevelTx, txFromJson, unsignedBytesOf } from "../../../src/core/txs/tx.js"
import { checkTx, type UnsignedTx } from "../../../src/core/txs/unsignedTx.js"
import { idText, parseID } from "../../../src/core/types/id.js"
import { crypto } from "../../../src/platform/backends.js"
import { rulesWith } from "../../fixtures/state.js"
import type { Check } from "../group.js"
import { bytesOf } from "../values.js"
import { signersOf } from "./txs.js"

/** helicon.json, `tx`: a signed transaction as bytes and JSON, the result of its stateless checks, and its complexity. */
export const checkHeliconTx: Check = ({ input, expected }, verdict) => {
  const bytes = bytesOf(input.bytes)
  const as = { hrp: input.hrp }
  const networkID = Number(input.networkID)
  const tx = decodeTx(bytes)
  verdict.equal("hrp", hrpOf(networkID), input.hrp)
  verdict.equal("bytes", encode(topLevelTx, tx), input.bytes)
  verdict.equal("bytes of the parts", signedTxOf(tx.unsignedTx, tx.credentials).bytes, input.bytes)
  verdict.equal("id", idText(tx.id), expected.id)
  verdict.equal("length", bytes.length, expected.length)
  verdict.equal("unsignedLength", unsignedBytesOf(tx).length, expected.unsignedLength)
  verdict.equal("unsignedSHA256", sha256(unsignedBytesOf(tx)), expected.unsignedSHA256)
  verdict.equal("jsonText", printJson(toJson(topLevelTx, tx, as)), expected.jsonText)
  verdict.equal("printed", print(topLevelTx, tx, as), expected.jsonText)
  verdict.equal("bytes of the JSON", txFromJson(parseJson(expected.jsonText), as, tx.unsignedTx.kind).bytes, input.bytes)
  verdict.equal("signers", signersOf(tx), expected.signers ?? [])
  const context = { crypto, networkID, avaxAssetID: parseID(input.avaxAssetID) }
  verdict.equal("syntactic", refusalOf(() => checkTx(tx.unsignedTx, context)) ?? "ok", expected.syntactic)
  const weights = rulesWith().params.dynamicFee.weights
  const complexity = complexityOrError(tx.unsignedTx)
  verdict.equal("complexity", complexity, expected.complexity)
  if (expected.gas !== undefined) verdict.equal("gas", toGas(complexity as Dimensions, weights), expected.gas)
}

function complexityOrError(tx: UnsignedTx): Dimensions | { readonly error: string } {
  let complexity: Dimensions | undefined
  const error = refusalOf(() => {
    complexity = complexityOf(tx)
  })
  return complexity ?? { error: error! }
}

/** AvalancheGo's text for a refused action. */
function refusalOf(action: () => void): string | undefined {
  try {
    action()
    return undefined
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return error.steps + error.avalanchegoMessage
  }
}
