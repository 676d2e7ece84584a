import type { ID } from "../../core/types/id.js"
import { described } from "../../jsonrpc/schema/kinds.js"
import { object } from "../../jsonrpc/schema/object.js"
import { id } from "../../services/kinds.js"
import { putIntoBlocks } from "../dev/putIntoBlock.js"
import type { ChainTurn } from "../turn/chainTurn.js"
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

  handler: ({ validationID }, { chain }) => chain.turn((turn) => disableL1(turn, validationID)),
})

/** Disables an L1 validator whose owner is the treasury's key, which also gets the rest of its balance. Throws `tx.*`. */
async function disableL1(chain: ChainTurn, validationID: ID): Promise<{ readonly txID: ID; readonly seconds: bigint }> {
  await chain.catchUp()
  const purse = chain.treasury.purse(chain.written(), chain.now())
  const disableAuthorization = { kind: "Input" as const, signatureIndices: [0] }
  const fields = { validationID, disableAuthorization }
  const tx = purse.pay(
    { amount: 0n, make: (parts) => ({ kind: "DisableL1ValidatorTx", ...parts, ...fields }) },
    chain.treasury.price(chain.now()),
  )
  return { txID: tx.id, seconds: await putIntoBlocks(chain, [tx]) }
}
