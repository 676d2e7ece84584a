import { allChains } from "../../readmodel/chains.js"
import { idText } from "../../types/id.js"
import { answer } from "../answer.js"
import { method } from "../method.js"
import { nothing } from "../schema.js"
import { rawOf } from "./ready.js"

export const getBlockchains = method({
  name: "platform.getBlockchains",
  summary: "Every blockchain but the P-Chain: by subnets in the order of creation, those of the primary network last.",
  deprecated: "since v1.9.12; use validates and getTx, or an indexer",
  params: nothing,
  result: answer.object({
    blockchains: answer.list(answer.object({ id: answer.id, name: answer.string, subnetID: answer.id, vmID: answer.id })),
  }),
  cost: 5,
  examples: [],

  handler: (_params, context) =>
    context.cached("platform.getBlockchains", () => {
      const blockchains = [...allChains(context.view)].map(({ id, name, subnetID, vmID }) => ({
        id: idText(id),
        name,
        subnetID: idText(subnetID),
        vmID: idText(vmID),
      }))
      return rawOf({ blockchains })
    }),
})
