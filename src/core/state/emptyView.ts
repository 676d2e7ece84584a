import type { View } from "./view.js"

/** A state with nothing in it: what genesis is written on. */
export const emptyView: View = {
  get: () => undefined,
  rows: () => [],
  values: () => [],
  first: () => undefined,
}
