import type { NodePort } from "../../context.js"

/** Keeps something for each node through its blocks; whatever else happens to the state, such as going back, empties it. */
export function throughBlocks<T extends { clear(): void }>(make: () => T): (node: NodePort) => T {
  const kept = new WeakMap<NodePort, T>()
  return (node) => {
    const known = kept.get(node)
    if (known) return known
    const made = make()
    node.onAccepted(({ kind }) => {
      if (kind !== "block") made.clear()
    })
    kept.set(node, made)
    return made
  }
}
