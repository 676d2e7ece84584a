import type { Encoding } from "../../../core/types/hexText.js"
import { idText } from "../../../core/types/id.js"
import { hexIn, type UtxoText, uncheckedHexIn, utxoIDIn } from "../../../core/types/utxoText.js"
import { platformError } from "../errors.js"

/** UTXOs as a list in JSON, as the API writes them: codec version, transaction, index, asset, output. Nothing in it needs to be escaped. */
export function utxoList(utxos: readonly UtxoText[], encoding: Encoding): string {
  if (utxos.length === 0) return "[]"
  if (encoding === "json") {
    const reference = `couldn't encode UTXO ${idText(utxoIDIn(utxos[0] as UtxoText))} as ${encoding}: `
    throw platformError("platform.unsupported_encoding", { encoding, reference })
  }
  const texts = utxos.map((text) => (encoding === "hexnc" ? uncheckedHexIn(text) : hexIn(text)))
  return `["0x${texts.join('","0x')}"]`
}
