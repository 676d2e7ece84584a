import { blockTime } from "../../../core/readmodel/blockTimes.js"
import { balancesAt } from "../../../core/readmodel/explorer/moneyQueries.js"
import { described, list, string } from "../../../jsonrpc/schema/kinds.js"
import { sum64, u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { time } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { id } from "../../kinds.js"
import { readAddress } from "../params/addresses.js"
import { requireReached } from "../params/heights.js"
import { requireHistory } from "../params/history.js"

export const getBalanceAt = method({
  name: "platform.getBalanceAt",
  summary:
    "Returns the sum of the UTXOs that an address owned, alone or with others, after the block of a height, by asset. Locked outputs are included; stakes are not.",
  isExtension: true,
  params: object({
    address: described(string, "The P-Chain address."),
    height: described(u64, "The height of the block after which the balance is returned."),
  }),
  result: object({
    height: u64,
    timestamp: described(time, "The time of the chain after the block."),
    balances: list(
      object({
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

  async handler({ address, height }, context, { pace }) {
    const past = context.past(pace)
    requireReached(height, context)
    requireHistory(context, height)
    const balances = await balancesAt(past, readAddress(address, context), height)
    return {
      height,
      timestamp: await past.read((view) => blockTime(view, height)),
      balances: balances.map(({ assetID, amount, count }) => ({ assetID, amount, utxoCount: count })),
    }
  },
})
