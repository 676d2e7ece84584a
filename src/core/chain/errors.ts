import { refusals } from "../lib/invalid.js"

/** What the chain refuses. */
export const chainError = refusals({
  "chain.no_warp_height": "the block's Warp messages hold at no height up to its parent's",
  "chain.tx_above_capacity": {
    says: "the transaction takes more gas than a block could give now",
    reference: ({ gas, capacity }) => `tx exceeds current gas capacity: ${gas} > ${capacity}`,
  },
  "chain.tx_too_large_before_helicon": {
    says: "until Helicon a transaction has at most 256 KiB",
    reference: "transaction size exceeds max transaction size pre-Helicon",
  },
  "chain.duplicate_tx": { says: "the transaction waits already", reference: "duplicate tx" },
  "chain.conflicting_tx": {
    says: "a waiting transaction takes one of the same UTXOs",
    reference: "tx conflicts with other tx",
  },
  "chain.pool_full": {
    says: "the pool is full of transactions that pay as much or more",
    reference: "not enough gas",
  },
  "chain.no_gas": { says: "the transaction takes no gas, and so has no price", reference: "failed to meter tx: no gas used" },
})
