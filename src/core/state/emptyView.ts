import type { View } from "./view.js"

/** An empty state, on which genesis is written. */
export const emptyView: View = {
  get: () => undefined,
  rows: () => [],
  first: () => undefined,
}
