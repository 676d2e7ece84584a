import { described } from "../../jsonrpc/schema/kinds.js"
import { u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { id } from "../../services/kinds.js"
import { issueFromTreasury } from "../dev/putIntoBlock.js"
import { devMethod } from "./context.js"
import { secondsForGas } from "./l1Params.js"

export const increaseL1Balance = devMethod({
  name: "dev.increaseL1Balance",
  summary:
    "Increases the balance of an L1 validator by a real IncreaseL1ValidatorBalanceTx from the well-known key. An inactive validator becomes active.",
  params: object({
    validationID: described(id, "The validation ID of the L1 validator."),
    amount: described(u64, "The amount in nAVAX by which the balance grows."),
  }),
  result: object({ txID: id, seconds: secondsForGas }),
  cost: 5,
  examples: [
    {
      params: { validationID: "2ehwutunkbD4Ne1eiK5HZpDfxTTt4XN74aSKM9xch2zmJ44mSQ", amount: 1_000_000_000 },
      result: { txID: "2VAmKJndffRaQ8CY5VwqqXhQh4gFhGQDT1LdHRhaVQ8JR6uHAU", seconds: "0" },
    },
  ],

  handler: ({ validationID, amount }, { chain }) =>
    chain.turn(async (turn) => {
      await turn.catchUp()
      const fields = { kind: "IncreaseL1ValidatorBalanceTx" as const, validationID, balance: amount }
      return issueFromTreasury(turn, { amount, make: (parts) => ({ ...parts, ...fields }) })
    }),
})
