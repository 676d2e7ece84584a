import { refusals } from "../lib/invalid.js"

/** What the chain refuses. */
export const chainError = refusals({
  "chain.no_warp_height": "the block's Warp messages hold at no height up to its parent's",
  "chain.tx_above_capacity": {
    sentence: "the transaction takes more gas than a block could give now",
    avalanchegoMessage: ({ gas, capacity }) => `tx exceeds current gas capacity: ${gas} > ${capacity}`,
  },
  "chain.tx_too_large_before_helicon": {
    sentence: "until Helicon a transaction has at most 256 KiB",
    avalanchegoMessage: "transaction size exceeds max transaction size pre-Helicon",
  },
  "chain.duplicate_tx": { sentence: "the transaction waits already", avalanchegoMessage: "duplicate tx" },
  "chain.conflicting_tx": {
    sentence: "a waiting transaction takes one of the same UTXOs",
    avalanchegoMessage: "tx conflicts with other tx",
  },
  "chain.pool_full": {
    sentence: "the pool is full of transactions that pay as much or more",
    avalanchegoMessage: "not enough gas",
  },
  "chain.no_gas": {
    sentence: "the transaction takes no gas, and so has no price",
    avalanchegoMessage: "failed to meter tx: no gas used",
  },
})
