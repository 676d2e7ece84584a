import { described, string } from "../../jsonrpc/schema/kinds.js"
import { u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { id } from "../../services/kinds.js"
import { devKeys, requireKey } from "../dev/devAccounts.js"
import { pay as payFrom } from "../dev/payments.js"
import { grantTo } from "../funds/treasury.js"
import { devMethod } from "./context.js"
import { requireAddresses } from "./params.js"

export const pay = devMethod({
  name: "dev.pay",
  summary: "Pays AVAX from one of the accounts of `dev.accounts` by an ordinary transaction, which the node signs.",
  params: object({
    from: described(string, "The address of a funded account."),
    to: described(string, "The P-Chain address that receives the AVAX."),
    amount: described(u64, "The amount in nAVAX, without the fee."),
  }),
  result: object({ txID: id, utxoID: id }),
  examples: [
    {
      params: {
        from: "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u",
        to: "P-local1g65uqn6t77p656w64023nh8nd9updzmxyymev2",
        amount: 1_000_000_000,
      },
      result: {
        txID: "7ge8yoRmr3w2zxkQhDHoWtd9iWBFPy2YZckpxqsDNj6Zfjsah",
        utxoID: "21Uip8QLJRTYxmQLEaMp4WfTo6G7XkrVQBrGXSWSWKGHKDTKAQ",
      },
    },
  ],

  handler({ from, to, amount }, context) {
    const [[payer], [receiver]] = [requireAddresses([from], context), requireAddresses([to], context)]
    const { chain } = context
    return chain.turn(async (turn) => {
      const key = requireKey(devKeys(chain), payer!, from)
      await turn.catchUp()
      return payFrom(turn, grantTo(receiver!, amount), key)
    })
  },
})
