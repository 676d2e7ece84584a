import { described, list, optional, string, withDefault } from "../../jsonrpc/schema/kinds.js"
import { u32, u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { id, unixTime } from "../../services/kinds.js"
import { fund as fundOwners } from "../dev/payments.js"
import { devMethod } from "./context.js"
import { devError } from "./errors.js"
import { requireAddresses } from "./params.js"

export const fund = devMethod({
  name: "dev.fund",
  summary:
    "Funds an address with AVAX by a payment from the well-known key. The payment is accepted at once. If gas is short, the clock moves to the second in which there is enough. If `stakeableLocktime` is given, or if the well-known key has no funds in the genesis, the AVAX is created without a transaction, which is an override.",
  params: object({
    address: described(optional(string), "The address to fund. Give either `address` or `addresses`."),
    addresses: described(optional(list(string)), "The addresses that own the output together."),
    threshold: described(withDefault(u32, 1), "The number of owners that must sign to spend the output."),
    amount: described(u64, "The amount in nAVAX."),
    locktime: described(withDefault(unixTime, 0n), "The time until which the output cannot be spent."),
    stakeableLocktime: described(withDefault(unixTime, 0n), "The time until which the output can only be staked."),
  }),
  result: object({
    txID: optional(described(id, "The ID of the payment; absent if the AVAX was created without a transaction.")),
    utxoID: id,
  }),
  examples: [
    {
      params: { address: "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5ajeks8w", amount: 1_000_000_000 },
      result: {
        txID: "NcyNGHp5ZYE1Xs384fivq8rWyLDgoc77m5nFW3CoNP8Tcva84",
        utxoID: "GXRW8wwuvbS6hBSnXoCuNPDKHEwCSSg8Frq3wHwN75kTF7Nbq",
      },
    },
  ],

  handler({ address, addresses, threshold, amount, locktime, stakeableLocktime }, context) {
    if ((address === undefined) === (addresses === undefined)) throw devError("dev.address_or_addresses")
    const owners = requireAddresses(addresses ?? [address as string], context)
    const grant = { addresses: owners, threshold, amount, locktime, stakeableLocktime }
    return context.chain.turn((turn) => fundOwners(turn, grant))
  },
})
