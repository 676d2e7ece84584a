import { encode } from "../../codec/decode.js"
import { toHexText } from "../../types/hexText.js"
import { P_CHAIN_ID } from "../../types/id.js"
import { topLevelUtxo } from "../../types/utxo.js"
import { answer } from "../answer.js"
import { parseAddress } from "../platform/addresses.js"
import { chainOf } from "../platform/aliases.js"
import { described, object, string, u64 } from "../schema.js"
import { devError } from "./errors.js"
import { method } from "./port.js"

export const creditAtomic = method({
  name: "dev.creditAtomic",
  summary: "Leaves AVAX to be imported (an override), as if it had been exported from the X- or C-Chain.",
  params: object({
    sourceChain: described(string, "X, C, or the ID of one of them"),
    address: string,
    amount: described(u64, "nAVAX"),
  }),
  result: answer.object({ utxo: answer.described(answer.hex, "as `platform.getUTXOs` gives it, with a checksum") }),
  examples: [],

  async handler({ sourceChain, address, amount }, context) {
    const chainID = chainOf(context, sourceChain)
    if (chainID === undefined || chainID === P_CHAIN_ID) throw devError("dev.not_a_source", { sourceChain })
    const utxo = await context.dev.creditAtomic(chainID, parseAddress(address, context), amount)
    return { utxo: toHexText(encode(topLevelUtxo, utxo)) }
  },
})
