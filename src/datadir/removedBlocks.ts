import type { Removals } from "../core/state/removedBlocks.js"
import type { Store } from "../store/store.js"

/** Returns the function that reads the latest removed blocks of a store. They are decoded once for each state, because many streams ask at once. */
export function removedBlocksIn(store: Pick<Store, "getMeta" | "version">): () => Removals {
  let [known, version]: [Removals, number | undefined] = [[], undefined]
  return () => {
    const now = store.version()
    if (now !== version) [known, version] = [store.getMeta("removedBlocks") ?? [], now]
    return known
  }
}
