import { refusals } from "../lib/invalid.js"

/** What breaks a rule that several transactions or blocks share. */
export const rulesError = refusals({
  "rules.insufficient_capacity": {
    says: "the block takes more gas than the chain has to give now",
    reference: ({ capacity, gas }) => `insufficient capacity: capacity (${capacity}) < gas (${gas})`,
  },
})
