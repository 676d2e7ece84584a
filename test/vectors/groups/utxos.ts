import { decode, encode } from "../../../src/core/codec/decode.js"
import { toHexText } from "../../../src/core/types/hexText.js"
import { idText } from "../../../src/core/types/id.js"
import { innerOutput } from "../../../src/core/types/output.js"
import { topLevelUtxo, utxoID } from "../../../src/core/types/utxo.js"
import type { Check, Group } from "../group.js"
import { bytesOf } from "../values.js"

const check: Check = (entry, verdict) => {
  const bytes = bytesOf(entry.bytes)
  const utxo = decode(topLevelUtxo, bytes)
  const inner = innerOutput(utxo.output)
  verdict.equal("bytes", encode(topLevelUtxo, utxo), entry.bytes)
  if (entry.hex_with_checksum !== undefined) verdict.equal("hex_with_checksum", toHexText(bytes), entry.hex_with_checksum)
  verdict.equal("tx_id", idText(utxo.txID), entry.tx_id)
  verdict.equal("output_index", utxo.outputIndex, entry.output_index)
  verdict.equal("asset_id", idText(utxo.assetID), entry.asset_id)
  verdict.equal("kind", utxo.output.kind, entry.kind)
  verdict.equal("output_type", utxo.output.kind, entry.output_type)
  verdict.equal("amount", inner.amount, entry.amount)
  verdict.equal("owner_locktime", inner.locktime, entry.owner_locktime)
  verdict.equal("threshold", inner.threshold, entry.threshold)
  verdict.equal("addresses", inner.addresses, entry.addresses)
  verdict.equal("utxo_id", idText(utxoID(utxo.txID, utxo.outputIndex)), entry.utxo_id)
  const lock = utxo.output.kind === "LockOut" ? utxo.output.locktime : undefined
  verdict.equal("stakeable_locktime", lock, entry.stakeable_locktime)
}

/** utxos.json: UTXOs as the API carries them. */
export const utxos: Group = { TransferOutput: check, LockOut: check }
