import { PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import { described, list, optional } from "../../jsonrpc/schema/kinds.js"
import { object } from "../../jsonrpc/schema/object.js"
import { hex, id, nodeID } from "../../services/kinds.js"
import { takeOverKeys } from "../dev/takeOverKeys.js"
import { devMethod } from "./context.js"

export const takeValidatorKeys = devMethod({
  name: "dev.takeValidatorKeys",
  summary:
    "Gives validators of a subnet new BLS keys that the node holds, so that `dev.signWarpMessage` can sign for them. This is an override: a fork needs it to change the validators of a real L1. Hosted VMs begin again, because they keep validator sets.",
  params: object({
    subnetID: described(optional(id), "The ID of the subnet. The default is the primary network."),
    nodeIDs: described(optional(list(nodeID)), "The validators. The default is every validator of the subnet."),
  }),
  result: object({
    validators: list(object({ nodeID, publicKey: described(hex, "The new compressed BLS public key.") })),
  }),
  examples: [
    {
      params: { nodeIDs: ["NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg"] },
      result: {
        validators: [
          {
            nodeID: "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg",
            publicKey: "0xad675794b2e2df70f345ccc2172a57968f5c819453b72d80b380dc30e270341be7e193a728594a362fdd421e252dfaf7",
          },
        ],
      },
    },
  ],

  async handler({ subnetID = PRIMARY_NETWORK_ID, nodeIDs }, { chain, l1s }) {
    const takeOver = () => chain.turn((turn) => takeOverKeys(turn, subnetID, nodeIDs))
    return { validators: await (l1s ? l1s.changeSets(takeOver) : takeOver()) }
  },
})
