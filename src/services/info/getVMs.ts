import { idOfName, idText } from "../../core/types/id.js"
import { answer } from "../../jsonrpc/result.js"
import { nothing } from "../../jsonrpc/schema/kinds.js"
import { method } from "../context.js"

export const getVMs = method({
  name: "info.getVMs",
  summary: "The virtual machines this node has, and their feature extensions. It has the P-Chain's alone.",
  params: nothing,
  result: answer.object({
    vms: answer.map(answer.list(answer.string), "VM ID, with its names"),
    fxs: answer.map(answer.string, "feature extension ID, with its name"),
  }),
  nodeSpecific: true,
  examples: [
    {
      params: {},
      result: {
        vms: { rWhpuQPF1kb72esV2momhMuTYGkEb1oL29pt2EBXWmSy4kxnT: ["platform"] },
        fxs: { spdxUxVJQbX85MGxMHbKw1sHxMnSqJ3QBzDyDYEP3h6TLuxqQ: "secp256k1fx" },
      },
    },
  ],

  handler: () => ({
    vms: { [idText(idOfName("platformvm"))]: ["platform"] },
    fxs: { [idText(idOfName("secp256k1fx"))]: "secp256k1fx" },
  }),
})
