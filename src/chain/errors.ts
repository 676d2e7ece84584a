import { refusals } from "../lib/invalid.js"

/** What the chain refuses. */
export const chainError = refusals({
  "chain.no_warp_height": "the block's Warp messages hold at no height up to its parent's",
})
