import { nothing, object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"
import { hex, nodeID } from "../kinds.js"
import { forEver } from "../lifetimes.js"

export const getNodeID = method({
  name: "info.getNodeID",
  summary: "Returns the node ID and the BLS public key of this node, with the proof of possession of the BLS key.",
  params: nothing,
  result: object({
    nodeID: nodeID,
    nodePOP: object({ publicKey: hex, proofOfPossession: hex }),
  }),
  nodeSpecific: true,
  lifetime: forEver,
  examples: [
    {
      params: {},
      result: {
        nodeID: "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg",
        nodePOP: {
          publicKey: "0x900c9b119b5c82d781d4b49be78c3fc7ae65f2b435b7ed9e3a8b9a03e475edff86d8a64827fec8db23a6f236afbf127d",
          proofOfPossession:
            "0x8bfd6d4d2086b2b8115d8f72f94095fefe5a6c07876b2accf51a811adf520f389e74a3d2152a6d90b521e2be58ffe468043dc5ea68b4c44410eb67f8dc24f13ed4f194000764c0e922cd254a3588a4962b1cb4db7de4bb9cda9d9d4d6b03f3d2",
        },
      },
    },
  ],

  handler(_params, { node: { identity } }) {
    return { nodeID: identity.nodeID, nodePOP: identity }
  },
})
