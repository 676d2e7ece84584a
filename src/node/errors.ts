import { refusals } from "../lib/invalid.js"

/** Why a node, or a command that opens its data, does not start. */
export const nodeError = refusals({
  "node.other_network": "the data belongs to another network",
  "node.other_genesis": "the data grew from another genesis",
  "node.other_upgrades": "the data was made with another upgrade schedule",
  "node.other_rule": "the data was made with another value of this rule",
  "node.no_chain": "there is no chain in this directory",
  "node.not_genesis": "no start time of the built-in genesis gives the first block's parent",
  "node.upgrades_fixed": "the upgrade schedule of this network is fixed",
})
