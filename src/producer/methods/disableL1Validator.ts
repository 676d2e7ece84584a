import { described } from "../../jsonrpc/schema/kinds.js"
import { object } from "../../jsonrpc/schema/object.js"
import { id } from "../../services/kinds.js"
import { issueFromTreasury } from "../dev/putIntoBlock.js"
import { devMethod } from "./context.js"
import { secondsForGas } from "./l1Params.js"

export const disableL1Validator = devMethod({
  name: "dev.disableL1Validator",
  summary:
    "Disables an L1 validator by a real DisableL1ValidatorTx from the well-known key, which must be its owner. It becomes inactive, and the rest of its balance returns to its owner. No message of the validator manager is needed.",
  params: object({ validationID: described(id, "The validation ID of the L1 validator.") }),
  result: object({ txID: id, seconds: secondsForGas }),
  cost: 5,
  examples: [
    {
      params: { validationID: "2ehwutunkbD4Ne1eiK5HZpDfxTTt4XN74aSKM9xch2zmJ44mSQ" },
      result: { txID: "TxagR7LgK7TRyvBEFdADwrpH324Y5eTGj6Gxk5iKM9ogyVZUH", seconds: "0" },
    },
  ],

  handler: ({ validationID }, { chain }) =>
    chain.turn(async (turn) => {
      await turn.catchUp()
      const fields = { validationID, disableAuthorization: { kind: "Input" as const, signatureIndices: [0] } }
      return issueFromTreasury(turn, { amount: 0n, make: (parts) => ({ kind: "DisableL1ValidatorTx", ...parts, ...fields }) })
    }),
})
