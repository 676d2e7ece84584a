import { idOfName } from "../../core/types/id.js"
import { list, string } from "../../jsonrpc/schema/kinds.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { map } from "../../jsonrpc/schema/outputs.js"
import { method } from "../context.js"
import { id } from "../kinds.js"
import { forEver } from "../lifetimes.js"

export const getVMs = method({
  name: "info.getVMs",
  summary:
    "Returns the virtual machines of this node and their feature extensions. The node has only the virtual machine of the P-Chain.",
  params: nothing,
  result: object({
    vms: map(id, list(string), "VM ID, with its names"),
    fxs: map(id, string, "feature extension ID, with its name"),
  }),
  nodeSpecific: true,
  lifetime: forEver,
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
    vms: new Map([[idOfName("platformvm"), ["platform"]]]),
    fxs: new Map([[idOfName("secp256k1fx"), "secp256k1fx"]]),
  }),
})
