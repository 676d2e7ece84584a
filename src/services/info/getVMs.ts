import { type ID, idOfName } from "../../core/types/id.js"
import { list, string } from "../../jsonrpc/schema/kinds.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { map } from "../../jsonrpc/schema/outputs.js"
import { method } from "../context.js"
import { id } from "../kinds.js"
import { ofStateAnd } from "../lifetimes.js"

/** The VM of the C-Chain. */
const EVM = idOfName("evm")

export const getVMs = method({
  name: "info.getVMs",
  summary:
    "Returns the virtual machines of this node and their feature extensions: that of the P-Chain, and the plugins of `--plugin-dir`.",
  params: nothing,
  result: object({
    vms: map(id, list(string), "VM ID, with its names"),
    fxs: map(id, string, "feature extension ID, with its name"),
  }),
  nodeSpecific: true,
  lifetime: ofStateAnd("the content of the plugin directory", ({ node }) => (node.vms?.vmIDs() ?? []).join(" ")),
  examples: [
    {
      params: {},
      result: {
        vms: { rWhpuQPF1kb72esV2momhMuTYGkEb1oL29pt2EBXWmSy4kxnT: ["platform"] },
        fxs: { spdxUxVJQbX85MGxMHbKw1sHxMnSqJ3QBzDyDYEP3h6TLuxqQ: "secp256k1fx" },
      },
    },
  ],

  handler(_params, { node }) {
    const vms = new Map<ID, readonly string[]>([[idOfName("platformvm"), ["platform"]]])
    for (const vmID of node.vms?.vmIDs() ?? []) vms.set(vmID, vmID === EVM ? ["evm"] : [])
    return { vms, fxs: new Map([[idOfName("secp256k1fx"), "secp256k1fx"]]) }
  },
})
