import { encode } from "../../codec/decode.js"
import type { FoundUtxo } from "../../readmodel/utxos.js"
import type { Encoding } from "../../types/hexText.js"
import { idText } from "../../types/id.js"
import { topLevelUtxo } from "../../types/utxo.js"
import { textOf } from "./encodings.js"

/** A UTXO as the API writes it: codec version, transaction, index, asset, output. */
export function utxoText({ utxoID, utxo }: FoundUtxo, encoding: Encoding): string {
  return textOf(encode(topLevelUtxo, utxo), encoding, () => `couldn't encode UTXO ${idText(utxoID)} as ${encoding}: `)
}
