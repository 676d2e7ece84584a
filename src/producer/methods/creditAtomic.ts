import { encode } from "../../core/codec/decode.js"
import { P_CHAIN_ID } from "../../core/types/id.js"
import { topLevelUtxo } from "../../core/types/utxo.js"
import { described, string } from "../../jsonrpc/schema/kinds.js"
import { u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { encodedBytes } from "../../services/kinds.js"
import { readAddress } from "../../services/platform/params/addresses.js"
import { chainOf } from "../../services/platform/params/aliases.js"
import { creditAtomic as credit } from "../dev/payments.js"
import { devMethod } from "./context.js"
import { devError } from "./errors.js"

export const creditAtomic = devMethod({
  name: "dev.creditAtomic",
  summary:
    "Creates AVAX that can be imported, as if it had been exported from the X-Chain or C-Chain, for chains that do not run here. This is an override.",
  params: object({
    sourceChain: described(string, "The source chain: X, C, or the ID of one of them."),
    address: described(string, "The P-Chain address that can import the AVAX."),
    amount: described(u64, "The amount in nAVAX."),
  }),
  result: object({ utxo: described(encodedBytes, "The UTXO with a checksum, as `platform.getUTXOs` returns it.") }),
  examples: [
    {
      params: { sourceChain: "X", address: "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5ajeks8w", amount: 1_000_000_000 },
      result: {
        utxo: "0x0000904d146c69194fae0ddd32276927e9e2527ba018b9d2483a1046dfb405b965c100000000dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db00000007000000003b9aca00000000000000000000000001000000013cb7d3842e8cee6a0ebd09f1fe884f6861e1b29d2c4db18c",
      },
    },
  ],

  async handler({ sourceChain, address, amount }, context) {
    const chainID = chainOf(context, sourceChain)
    if (chainID === undefined || chainID === P_CHAIN_ID) throw devError("dev.not_a_source", { sourceChain })
    const owner = readAddress(address, context)
    const utxo = await context.chain.turn((turn) => credit(turn, chainID, owner, amount))
    return { utxo: { bytes: encode(topLevelUtxo, utxo), encoding: "hex" as const } }
  },
})
