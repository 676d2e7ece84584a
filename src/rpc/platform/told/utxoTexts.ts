import { Writer } from "../../../codec/writer.js"
import type { FoundUtxo } from "../../../readmodel/utxos.js"
import type { Encoding } from "../../../types/hexText.js"
import { idText } from "../../../types/id.js"
import { topLevelUtxo } from "../../../types/utxo.js"
import { textOf } from "../asked/encodings.js"

/** UTXOs as the API writes them: codec version, transaction, index, asset, output. */
export function utxoTexts(utxos: readonly FoundUtxo[], encoding: Encoding): string[] {
  // One writer for all of them: bytes that only become text need no room of their own (3 instead of 4 µs for each).
  const writer = new Writer()
  return utxos.map(({ utxoID, utxo }) => {
    writer.clear()
    topLevelUtxo.write(writer, utxo)
    return textOf(writer.lent(), encoding, () => `couldn't encode UTXO ${idText(utxoID)} as ${encoding}: `)
  })
}
