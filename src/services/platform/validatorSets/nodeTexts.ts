import { compressKey } from "../../../core/crypto/compressKey.js"
import { equalBytes } from "../../../core/lib/bytes.js"
import { toHexText } from "../../../core/types/hexText.js"
import { type NodeID, nodeIDText } from "../../../core/types/id.js"

/** Some more than the largest networks have had. */
const MAX_KEPT = 50_000

const names = new Map<NodeID, string>()
const keys = new Map<NodeID, { readonly publicKey: Uint8Array; readonly text: string }>()

/** A node ID as text, remembered: the same few thousand stand in every list of validators, and each takes microseconds. */
export function nodeText(nodeID: NodeID): string {
  const known = names.get(nodeID)
  if (known !== undefined) return known
  const text = nodeIDText(nodeID)
  keep(names, nodeID, text)
  return text
}

/** A node's BLS key (96 bytes) in its short form as hex, remembered for the same reason. */
export function keyText(nodeID: NodeID, publicKey: Uint8Array): string {
  const known = keys.get(nodeID)
  if (known && equalBytes(known.publicKey, publicKey)) return known.text
  const text = toHexText(compressKey(publicKey), "hexnc")
  keep(keys, nodeID, { publicKey, text })
  return text
}

function keep<V>(kept: Map<NodeID, V>, nodeID: NodeID, value: V): void {
  if (kept.size >= MAX_KEPT) kept.clear()
  kept.set(nodeID, value)
}
