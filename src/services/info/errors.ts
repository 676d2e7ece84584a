import { refusals } from "../../core/lib/invalid.js"

/** Why a method of `info` refuses. */
export const infoError = refusals({
  "info.no_chain_given": { says: "the chain is empty: name one, such as P", reference: "argument 'chain' not given" },
  "info.unknown_chain": {
    says: "no chain has this name or ID",
    reference: ({ chain }) => `there is no chain with alias/ID '${chain}'`,
  },
  "info.not_a_validator": {
    says: "this node is not a validator of that network",
    reference: "couldn't get node uptime: node is not a validator",
  },
})
