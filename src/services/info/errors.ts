import { refusals } from "../../core/lib/invalid.js"

/** Errors of the methods of `info`. */
export const infoError = refusals({
  "info.no_chain_given": {
    sentence: "the chain is empty: name one, such as P",
    avalanchegoMessage: "argument 'chain' not given",
  },
  "info.unknown_chain": {
    sentence: "no chain has this name or ID",
    avalanchegoMessage: ({ chain }) => `there is no chain with alias/ID '${chain}'`,
  },
  "info.not_a_validator": {
    sentence: "this node is not a validator of that network",
    avalanchegoMessage: "couldn't get node uptime: node is not a validator",
  },
})
