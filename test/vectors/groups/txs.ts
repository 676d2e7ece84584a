import { decode, encode } from "../../../src/core/codec/decode.js"
import { print } from "../../../src/core/codec/textSink.js"
import { toJson } from "../../../src/core/codec/valueSink.js"
import { sha256 } from "../../../src/core/crypto/hash.js"
import { addressOf } from "../../../src/core/crypto/secp256k1.js"
import { printJson } from "../../../src/core/lib/json.js"
import { mul64 } from "../../../src/core/lib/math64.js"
import { parseJson } from "../../../src/core/lib/parseJson.js"
import { hrpOf } from "../../../src/core/networks/names.js"
import { requireCredential } from "../../../src/core/rules/authorise.js"
import { toGas } from "../../../src/core/rules/gas.js"
import { complexityOf } from "../../../src/core/txs/execute.js"
import { txTypes } from "../../../src/core/txs/index.js"
import { decodeTx, MAX_SIZE, signedTxOf, type Tx, topLevelTx, txFromJson, unsignedBytesOf } from "../../../src/core/txs/tx.js"
import { checkTx, topLevelUnsignedTx, txTypeOf, type UnsignedTx, unsignedTx } from "../../../src/core/txs/unsignedTx.js"
import { toHexText } from "../../../src/core/types/hexText.js"
import { idText } from "../../../src/core/types/id.js"
import { crypto, secp256k1 } from "../../../src/platform/backends.js"
import { avaxAssetOf } from "../avaxAsset.js"
import type { Check, Entry, Group, Verdict } from "../group.js"
import { bytesOf } from "../values.js"
import { dimensionsOf } from "./complexity.js"

/** A transaction of either `form`: signed, or without its credentials. */
interface VectorTx {
  readonly unsigned: UnsignedTx
  /** The bytes that credentials sign. */
  readonly unsignedBytes: Uint8Array
  readonly signed?: Tx
}

function decodeForm({ form, bytes }: Entry): VectorTx {
  const raw = bytesOf(bytes)
  if (form === "unsigned") return { unsigned: decode(topLevelUnsignedTx, raw, { maxSize: MAX_SIZE }), unsignedBytes: raw }
  if (form !== "signed") throw new Error(`form is neither signed nor unsigned: ${form}`)
  const signed = decodeTx(raw)
  return { unsigned: signed.unsignedTx, unsignedBytes: unsignedBytesOf(signed), signed }
}

/** The checks that see no state. If no network is given, they use the network of the transaction. */
function checkStateless(tx: UnsignedTx, networkID = "networkID" in tx ? tx.networkID : 0): void {
  checkTx(tx, { crypto, networkID, avaxAssetID: avaxAssetOf(tx) })
}

const checkBytes: Check = (entry, verdict) => {
  const { unsigned, unsignedBytes, signed } = decodeForm(entry)
  const bytes = bytesOf(entry.bytes)
  verdict.equal("kind", unsigned.kind, entry.kind)
  verdict.equal("type", unsigned.kind, entry.type)
  verdict.equal("type_id", txTypeOf(unsigned.kind).typeID, entry.type_id)
  if ("networkID" in unsigned) verdict.equal("network_id", unsigned.networkID, entry.network_id)
  verdict.equal("length", bytes.length, entry.length)
  verdict.equal("bytes", signed ? encode(topLevelTx, signed) : encode(topLevelUnsignedTx, unsigned), entry.bytes)
  if (signed) verdict.equal("bytes of the parts", signedTxOf(unsigned, signed.credentials).bytes, entry.bytes)
  verdict.equal("unsigned_length", unsignedBytes.length, entry.unsigned_length)
  verdict.equal("unsigned_sha256", sha256(unsignedBytes), entry.unsigned_sha256)
  if (entry.id !== undefined) verdict.equal("id", signed && idText(signed.id), entry.id)
  if (entry.signers !== undefined) verdict.equal("signers", signed && signersOf(signed), entry.signers)
  if (entry.hex_with_checksum !== undefined) verdict.equal("hex_with_checksum", toHexText(bytes), entry.hex_with_checksum)
  if (entry.fee_test !== undefined) compareFee(unsigned, entry.fee_test, verdict)
  compareVerdict(unsigned, entry, verdict)
}

/** The fee at these weights and this gas price. */
function compareFee(tx: UnsignedTx, { weights, price_nAVAX_per_gas, fee_nAVAX }: Entry, verdict: Verdict): void {
  const { bandwidth, db_read, db_write, compute } = weights
  const gas = toGas(complexityOf(tx), dimensionsOf({ bandwidth, dbRead: db_read, dbWrite: db_write, compute }))
  verdict.equal("fee_test", mul64(gas, BigInt(price_nAVAX_per_gas)), fee_nAVAX)
}

/** Vectors with invented values have "not meaningful" as their verdict, which is not compared. */
function compareVerdict(tx: UnsignedTx, { syntactic, network_id }: Entry, verdict: Verdict): void {
  const check = () => checkStateless(tx, Number(network_id))
  if (syntactic === "ok") check()
  else if (syntactic !== "not meaningful") verdict.refuses(`syntactic (${syntactic})`, check)
}

/** The signers, credential by credential. */
export function signersOf(tx: Tx): string[][] {
  const hash = sha256(unsignedBytesOf(tx))
  return tx.credentials.map((credential) =>
    requireCredential(credential).signatures.map((each) => addressOf(secp256k1().recover(hash, each))),
  )
}

const checkJson: Check = (entry, verdict) => {
  const { unsigned, signed } = decodeForm(entry)
  const as = { hrp: entry.hrp }
  verdict.equal("kind", unsigned.kind, entry.kind)
  verdict.equal("type", unsigned.kind, entry.type)
  if ("networkID" in unsigned) verdict.equal("network_id", unsigned.networkID, entry.network_id)
  verdict.equal("hrp", hrpOf(Number(entry.network_id)), entry.hrp)
  if (entry.id !== undefined) verdict.equal("id", signed && idText(signed.id), entry.id)
  verdict.equal(
    "json_text",
    printJson(signed ? toJson(topLevelTx, signed, as) : toJson(unsignedTx, unsigned, as)),
    entry.json_text,
  )
  verdict.equal("printed", signed ? print(topLevelTx, signed, as) : print(unsignedTx, unsigned, as), entry.json_text)
  const json = parseJson(entry.json_text)
  const again = signed
    ? txFromJson(json, as, unsigned.kind).bytes
    : encode(topLevelUnsignedTx, unsignedTx.ofKind(unsigned.kind)!.fromJson(json, as))
  verdict.equal("bytes of the JSON", again, entry.bytes)
}

const kinds = txTypes.map((type) => type.kind)

/** tx-bytes.json: transactions of every kind as bytes. */
export const txBytes: Group = Object.fromEntries(kinds.map((kind) => [kind, checkBytes]))

/** tx-json.json: transactions of every kind as JSON text, and back. */
export const txJson: Group = Object.fromEntries(kinds.map((kind) => [kind, checkJson]))

/** tx-invalid.json: transactions that do not decode, or that the stateless checks refuse. */
export const txInvalid: Group = {
  "fails to decode"(entry, verdict) {
    verdict.equal("stage", entry.stage, "parse")
    verdict.refuses(`decoding (${entry.error})`, () => decodeForm(entry).unsigned.kind)
  },
  "fails to pass the stateless check"(entry, verdict) {
    verdict.equal("stage", entry.stage, "syntactic")
    const { unsigned } = decodeForm(entry)
    verdict.refuses(`the stateless checks (${entry.error})`, () => checkStateless(unsigned))
  },
}
