import { refusals } from "../core/lib/invalid.js"

export const clientError = refusals({
  "client.bad_address": "the text is not the address of a node",
  "client.no_c_chain": "the node has no C-Chain that answers",
  "client.refused_by_c_chain": "the C-Chain refused a call",
  "client.transfer_waits":
    "a transaction of the transfer was not accepted within a minute; what is exported waits on the other chain",
  "client.amount_too_small": "the amount is not more than the fee of the import",
})
