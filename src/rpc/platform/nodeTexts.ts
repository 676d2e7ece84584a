import { type NodeID, nodeIDText } from "../../types/id.js"

/** Some more than the largest networks have had. */
const MAX_KEPT = 50_000

const kept = new Map<NodeID, string>()

/** A node ID as text, remembered: the same few thousand stand in every list of validators, and each takes microseconds. */
export function nodeText(nodeID: NodeID): string {
  const known = kept.get(nodeID)
  if (known !== undefined) return known
  if (kept.size >= MAX_KEPT) kept.clear()
  const text = nodeIDText(nodeID)
  kept.set(nodeID, text)
  return text
}
