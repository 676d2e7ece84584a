import { encode } from "../../../core/codec/decode.js"
import { tables } from "../../../core/state/tables.js"
import { valuesOf } from "../../../core/state/view.js"
import { EMPTY_ID } from "../../../core/types/id.js"
import { topLevelUtxo } from "../../../core/types/utxo.js"
import { described, list, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { u32Text } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"
import { encodedBytes, encoding, id } from "../../kinds.js"
import { ofState } from "../../lifetimes.js"
import { checkTextEncoding, encodedAs } from "../params/encodings.js"

export const getRewardUTXOs = method({
  name: "platform.getRewardUTXOs",
  summary:
    "Returns the UTXOs that were paid as a reward to a staker when its staking period ended, or to an auto-renewed validator at the end of a cycle.",
  deprecated: "since v1.9.12; use getRewardsByAddress or an indexer",
  params: object({
    txID: described(
      withDefault(id, EMPTY_ID),
      "The ID of the transaction that added the staker. For an auto-renewed validator, the ID of the RewardAutoRenewedValidatorTx that ended the cycle.",
    ),
    encoding: described(withDefault(encoding, "hex"), "The encoding of the result."),
  }),
  result: object({ numFetched: u32Text, utxos: list(encodedBytes), encoding }),
  lifetime: ofState,
  examples: [
    {
      params: { txID: "2EVaAE38MsgWh3QAht3Mj7L7dsEAKWdZR6VqXUvNGas4KWL4jo" },
      result: {
        numFetched: "1",
        utxos: [
          "0x0000a2552dc6c4ddb807780b9fb562bbd96a6e97d33fab665388b1426b77de55558400000002dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db000000070000000016500c5f00000000000000000000000100000001111111111111111111111111111111111111111119ee68fb",
        ],
        encoding: "hex",
      },
    },
  ],

  async handler({ txID, encoding }, context, { pace }) {
    const past = context.past(pace)
    checkTextEncoding(encoding, context)
    const rewards = await past.read((view) => [...valuesOf(view.rows(tables.rewardUtxos, { under: { txID } }))])
    const utxos = rewards.map((utxo) =>
      encodedAs(encode(topLevelUtxo, utxo), encoding, () => `couldn't encode utxo as ${encoding}: `),
    )
    return { numFetched: utxos.length, utxos, encoding }
  },
})
