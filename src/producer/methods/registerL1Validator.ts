import { described, optional, string } from "../../jsonrpc/schema/kinds.js"
import { object } from "../../jsonrpc/schema/object.js"
import { hex, id, nodeID } from "../../services/kinds.js"
import { addL1Validator } from "../dev/addL1Validator.js"
import { devMethod } from "./context.js"
import { devError } from "./errors.js"
import { l1ValidatorParams, ownerOf, secondsForGas } from "./l1Params.js"
import { hexParam } from "./params.js"

export const registerL1Validator = devMethod({
  name: "dev.registerL1Validator",
  summary:
    "Registers a validator with an L1 by a real RegisterL1ValidatorTx from the well-known key. The node writes the Warp message of the validator manager, and signs it with the keys of `dev.signWarpMessage`, without asking a VM: a manager contract that runs here does not learn of it. Its own messages are issued by `dev.issueL1Message`.",
  params: object({
    subnetID: described(id, "The ID of the L1."),
    ...l1ValidatorParams,
    nodeID: described(
      optional(nodeID),
      "The ID of the node. The default is a node that exists only as keys, which the node keeps.",
    ),
    publicKey: described(optional(string), "The compressed BLS public key of the node as hex with `0x`. Give it with `nodeID`."),
    proofOfPossession: described(
      optional(string),
      "The proof of possession of the BLS key as hex with `0x`. Give it with `nodeID`.",
    ),
  }),
  result: object({
    validationID: id,
    txID: id,
    nodeID,
    publicKey: hex,
    secret: optional(described(hex, "The BLS secret; absent if the keys were given.")),
    seconds: secondsForGas,
  }),
  cost: 5,
  examples: [
    {
      params: { subnetID: "2RReTHVqw7iwYMVsnNpqTqw9nm2uvwS6S2DEuQHg4y6qKSnPVC", weight: 10 },
      result: {
        validationID: "2ehwutunkbD4Ne1eiK5HZpDfxTTt4XN74aSKM9xch2zmJ44mSQ",
        txID: "tfRZ98MxgxSE73XBvaL4WmXBvhh8HRihXwKP3BG52AgagogMc",
        nodeID: "NodeID-LojVEaPrYn5BficJN5hPDXUyuF4Ugrrbp",
        publicKey: "0x926e0c2e04c00497b4c444f3d401f035dc1192ac3d38f6884bada0bb134fd33a8b4e1e573125b112847754e4a5a52b31",
        secret: "0x3d3ed950c2c2b17eef9564e86ebc890d20fdc44ad948a5433339da0a76e88a0d",
        seconds: "0",
      },
    },
  ],

  async handler({ subnetID, weight, balance, owner, nodeID, publicKey, proofOfPossession }, context) {
    const isGiven = [nodeID, publicKey, proofOfPossession].map((each) => each !== undefined)
    if (isGiven.includes(true) && isGiven.includes(false)) throw devError("dev.node_keys")
    const node =
      nodeID === undefined || publicKey === undefined || proofOfPossession === undefined
        ? undefined
        : {
            nodeID,
            publicKey: hexParam("publicKey", publicKey),
            proofOfPossession: hexParam("proofOfPossession", proofOfPossession),
          }
    const wanted = { subnetID, weight, balance, owner: ownerOf(owner, context), node }
    return context.chain.turn((turn) => addL1Validator(turn, wanted))
  },
})
