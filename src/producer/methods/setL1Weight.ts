import { described, optional } from "../../jsonrpc/schema/kinds.js"
import { u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { id } from "../../services/kinds.js"
import { changeL1Weight } from "../dev/changeL1Weight.js"
import { devMethod } from "./context.js"
import { secondsForGas } from "./l1Params.js"

export const setL1Weight = devMethod({
  name: "dev.setL1Weight",
  summary:
    "Sets the weight of an L1 validator by a real SetL1ValidatorWeightTx from the well-known key. The node writes the Warp message of the validator manager, and signs it with the keys of `dev.signWarpMessage`, without asking a VM: a manager contract that runs here does not learn of it. Its own messages are issued by `dev.issueL1Message`.",
  params: object({
    validationID: described(id, "The validation ID of the L1 validator."),
    weight: described(u64, "The new weight. 0 removes the validator and returns its balance to its owner."),
    nonce: described(optional(u64), "The nonce of the message. The default is the smallest nonce that is allowed."),
  }),
  result: object({ txID: id, nonce: u64, seconds: secondsForGas }),
  cost: 5,
  examples: [
    {
      params: { validationID: "2ehwutunkbD4Ne1eiK5HZpDfxTTt4XN74aSKM9xch2zmJ44mSQ", weight: 25 },
      result: { txID: "TxagR7LgK7TRyvBEFdADwrpH324Y5eTGj6Gxk5iKM9ogyVZUH", nonce: "0", seconds: "0" },
    },
  ],

  handler: (wanted, { chain }) => chain.turn((turn) => changeL1Weight(turn, wanted)),
})
