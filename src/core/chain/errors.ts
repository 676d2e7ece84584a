import { refusals } from "../lib/invalid.js"

export const chainError = refusals({
  "chain.no_warp_height": "the block's Warp messages are not valid at any P-Chain height up to its parent's",
  "chain.tx_above_capacity": {
    sentence: "the transaction uses more gas than is available to a block now",
    avalanchegoMessage: ({ gas, capacity }) => `tx exceeds current gas capacity: ${gas} > ${capacity}`,
  },
  "chain.tx_too_large_before_helicon": {
    sentence: "the transaction is larger than 256 KiB, the limit until Helicon",
    avalanchegoMessage: "transaction size exceeds max transaction size pre-Helicon",
  },
  "chain.duplicate_tx": { sentence: "the transaction is already in the mempool", avalanchegoMessage: "duplicate tx" },
  "chain.conflicting_tx": {
    sentence: "a transaction in the mempool consumes one of the same UTXOs",
    avalanchegoMessage: "tx conflicts with other tx",
  },
  "chain.pool_full": {
    sentence: "the mempool is full of transactions that pay the same price for gas or more",
    avalanchegoMessage: "not enough gas",
  },
  "chain.no_gas": {
    sentence: "the transaction uses no gas, so it has no gas price",
    avalanchegoMessage: "failed to meter tx: no gas used",
  },
})
