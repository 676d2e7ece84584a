import { blockTime } from "../../../core/readmodel/blockTimes.js"
import { placeOfUtxo } from "../../../core/readmodel/explorer/moneyQueries.js"
import { explorerTables } from "../../../core/readmodel/explorer/tables.js"
import { outputOf } from "../../../core/readmodel/owners.js"
import { idText } from "../../../core/types/id.js"
import { described } from "../../../jsonrpc/schema/kinds.js"
import { u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { nullable, time } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { id } from "../../kinds.js"
import { platformError } from "../errors.js"
import { requireHistory } from "../params/history.js"
import { utxoFacts, utxoMembers } from "../params/utxoOutput.js"

export const getUTXOInfo = method({
  name: "platform.getUTXOInfo",
  summary: "Returns a UTXO of the P-Chain, spent or not, and the transaction that spent it.",
  isExtension: true,
  params: object({ utxoID: described(id, "The ID of the UTXO.") }),
  result: object({
    ...utxoMembers,
    spent: described(
      nullable(object({ txID: id, height: u64, timestamp: time })),
      "The transaction that spent the UTXO, or null if none did.",
    ),
  }),
  cost: 3,
  examples: [
    {
      params: { utxoID: "hfsWso7GHBK2YcvHpAybdEV6PUujt5N7ah8uPvhNGyuHPb4LP" },
      result: {
        utxoID: "hfsWso7GHBK2YcvHpAybdEV6PUujt5N7ah8uPvhNGyuHPb4LP",
        txID: "2EVaAE38MsgWh3QAht3Mj7L7dsEAKWdZR6VqXUvNGas4KWL4jo",
        outputIndex: 2,
        assetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
        amount: "374344799",
        addresses: ["P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"],
        threshold: 1,
        spent: null,
      },
    },
  ],

  async handler({ utxoID }, context, { pace }) {
    const past = context.past(pace)
    requireHistory(context)
    return await past.read((view) => {
      const place = placeOfUtxo(view, utxoID)
      const utxo = place && outputOf(view, place.txID, place.outputIndex)
      if (!utxo) throw platformError("platform.unknown_utxo", { utxoID: idText(utxoID) })
      const spender = view.get(explorerTables.spenders, utxoID)
      return { ...utxoFacts(utxo), spent: spender ? { ...spender, timestamp: blockTime(view, spender.height) } : null }
    })
  },
})
