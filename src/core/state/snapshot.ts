import type { IndexedView } from "./view.js"

/** The rows of a store at one moment. The caller releases it; until then the store keeps the old pages on the disk. */
export interface Snapshot extends IndexedView {
  release(): void
}
