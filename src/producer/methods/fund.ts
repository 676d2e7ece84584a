import { described, list, optional, string, withDefault } from "../../jsonrpc/schema/kinds.js"
import { u32, u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { id } from "../../services/kinds.js"
import { devMethod } from "./context.js"
import { devError } from "./errors.js"
import { requireAddresses, unixTime } from "./params.js"

export const fund = devMethod({
  name: "dev.fund",
  summary:
    "Gives AVAX to someone: by a payment from the well-known key, which gets its block at once or, where gas is short, waits like any other; or out of nothing (an override) for a stakeable lock and where genesis gave that key nothing.",
  params: object({
    address: described(optional(string), "or `addresses`"),
    addresses: described(optional(list(string)), "owners of one output together"),
    threshold: described(withDefault(u32, 1), "how many of them must sign"),
    amount: described(u64, "nAVAX"),
    locktime: described(withDefault(unixTime, 0n), "until then nobody can spend it"),
    stakeableLocktime: described(withDefault(unixTime, 0n), "until then it can only be staked"),
  }),
  result: object({
    txID: optional(described(id, "absent where it came out of nothing")),
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
    return context.dev.fund({ addresses: owners, threshold, amount, locktime, stakeableLocktime })
  },
})
