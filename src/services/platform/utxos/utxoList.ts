import { toHex } from "../../../core/lib/bytes.js"
import { utxoIDIn } from "../../../core/readmodel/utxos.js"
import type { Encoding } from "../../../core/types/hexText.js"
import { idText } from "../../../core/types/id.js"
import { withoutUtxoChecksum } from "../../../core/types/utxoBytes.js"
import { platformError } from "../errors.js"

/** UTXOs (`utxoBytes`) as a list in JSON: hex, with or without their checksums. Nothing in it needs to be escaped. */
export function utxoList(utxos: readonly Uint8Array[], encoding: Encoding): string {
  if (utxos.length === 0) return "[]"
  if (encoding === "json") {
    const reference = `couldn't encode UTXO ${idText(utxoIDIn(utxos[0] as Uint8Array))} as ${encoding}: `
    throw platformError("platform.unsupported_encoding", { encoding, reference })
  }
  const texts = utxos.map((bytes) => toHex(encoding === "hexnc" ? withoutUtxoChecksum(bytes) : bytes))
  return `["0x${texts.join('","0x')}"]`
}
