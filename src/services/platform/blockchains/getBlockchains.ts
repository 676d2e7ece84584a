import { allChains } from "../../../core/readmodel/chains.js"
import { string } from "../../../jsonrpc/schema/kinds.js"
import { nothing, object } from "../../../jsonrpc/schema/object.js"
import { rows } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { id } from "../../kinds.js"
import { ofState } from "../../lifetimes.js"

const chainOutput = object({ id: id, name: string, subnetID: id, vmID: id })

export const getBlockchains = method({
  name: "platform.getBlockchains",
  summary:
    "Returns every blockchain except the P-Chain. The blockchains are grouped by subnet in the order of creation; those of the primary network come last.",
  deprecated: "since v1.9.12; use validates and getTx, or an indexer",
  params: nothing,
  result: object({ blockchains: rows(chainOutput) }),
  cost: 5,
  lifetime: ofState,
  examples: [
    {
      params: {},
      result: {
        blockchains: [
          {
            id: "d3hhT7wgDEWVKCfV3GHMFcWAnhGAxVPp6Bt5ecsfk75iA1y5R",
            name: "Small Chain",
            subnetID: "2fTMf76veWTt8ZttMsPYqirhd44uShAXAGScbZxDG3MNSFvxka",
            vmID: "srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy",
          },
          {
            id: "2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed",
            name: "X-Chain",
            subnetID: "11111111111111111111111111111111LpoYY",
            vmID: "jvYyfQTxGMJLuGWa55kdP2p2zSUYsQ5Raupu4TW34ZAUBAbtq",
          },
          {
            id: "2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC",
            name: "C-Chain",
            subnetID: "11111111111111111111111111111111LpoYY",
            vmID: "mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6",
          },
        ],
      },
    },
  ],

  handler: async (_params, { view }) => ({ blockchains: allChains(view) }),
})
