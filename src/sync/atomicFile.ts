import { decode } from "../core/codec/decode.js"
import { Invalid } from "../core/lib/invalid.js"
import type { GenesisChains } from "../core/networks/aliases.js"
import { Diff } from "../core/state/diff.js"
import { tables } from "../core/state/tables.js"
import type { PrimaryEdits, View } from "../core/state/view.js"
import { fromHexText } from "../core/types/hexText.js"
import { P_CHAIN_ID, parseID } from "../core/types/id.js"
import { innerOutput } from "../core/types/output.js"
import { topLevelUtxo, utxoID } from "../core/types/utxo.js"
import { syncError } from "./errors.js"

/**
 * Reads UTXOs that wait to be imported, one per line: hex with checksum, then optionally the source chain (`X` by default) as a letter or an ID. Returns the
 * rows to commit. Throws `sync.bad_utxo`.
 */
export function atomicEdits(text: string, { xChainID, cChainID }: GenesisChains, view: View): PrimaryEdits {
  const diff = new Diff(view)
  for (const [i, line] of text.split("\n").entries()) {
    const [hex, chain = "X", ...rest] = line.trim().split(/\s+/)
    if (!hex || hex.startsWith("#")) continue
    try {
      if (rest.length > 0) throw syncError("sync.bad_utxo", { line: i + 1 })
      const sender = chain === "X" ? xChainID : chain === "C" ? cChainID : parseID(chain)
      const value = fromHexText(hex)
      const utxo = decode(topLevelUtxo, value)
      const key = { receiver: P_CHAIN_ID, sender, utxoID: utxoID(utxo.txID, utxo.outputIndex) }
      diff.put(tables.atomicUtxos, key, { value, traits: innerOutput(utxo.output).addresses })
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      throw syncError("sync.bad_utxo", { line: i + 1, reason: error.sentence, ...error.data })
    }
  }
  return diff.edits
}
