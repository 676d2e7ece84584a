import { blockTime } from "../../../core/readmodel/blockTimes.js"
import { balancesAt } from "../../../core/readmodel/explorer/moneyQueries.js"
import { described, list, optional } from "../../../jsonrpc/schema/kinds.js"
import { sum64, u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { time } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { addressOutput, id } from "../../kinds.js"
import { addressesOf, addressParams, heightParam, pastHeight } from "../params/history.js"

export const getBalanceAt = method({
  name: "platform.getBalanceAt",
  summary:
    "Returns the sum of the UTXOs that an address, or each of several addresses, owned alone or with others after a block, by asset. Locked outputs are included; stakes are not.",
  isExtension: true,
  params: object({ ...addressParams, height: heightParam("the balance is") }),
  result: object({
    height: u64,
    timestamp: described(time, "The time of the chain after the block."),
    balances: list(
      object({
        address: described(optional(addressOutput), "The address, if the call has `addresses`."),
        assetID: id,
        amount: described(sum64, "In the smallest unit of the asset: nAVAX for AVAX."),
        utxoCount: described(u64, "The number of the UTXOs."),
      }),
    ),
  }),
  cost: 3,
  examples: [
    {
      params: { address: "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6", height: 8 },
      result: {
        height: "8",
        timestamp: "2024-07-15T04:00:08Z",
        balances: [{ assetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe", amount: "15000000000", utxoCount: "3" }],
      },
    },
  ],

  async handler({ height: at, ...call }, context, { pace }) {
    const past = context.past(pace)
    const height = await pastHeight(at, past, context)
    const balances = await balancesAt(past, addressesOf(call, context), height)
    return {
      height,
      timestamp: await past.read((view) => blockTime(view, height)),
      balances: balances.map(({ address, assetID, amount, count }) => ({
        address: call.addresses.length === 0 ? undefined : address,
        ...{ assetID, amount, utxoCount: count },
      })),
    }
  },
})
