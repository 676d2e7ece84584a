import { EMPTY_ID } from "../../core/types/id.js"
import { described, list, string, withDefault } from "../../jsonrpc/schema/kinds.js"
import { u32, u32Text } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"
import { encoding, hex, id } from "../kinds.js"
import { requirePrivateChain } from "./requirePrivateChain.js"

export const getUTXOs = method({
  name: "avm.getUTXOs",
  summary:
    "Returns the UTXOs of addresses on the X-Chain. Beside a private P-Chain there are none, so that wallets of several chains start. A node of another network refuses.",
  params: object({
    addresses: described(withDefault(list(string), []), "The addresses whose UTXOs are returned."),
    sourceChain: described(withDefault(string, ""), "The alias or ID of the chain to import from."),
    limit: described(withDefault(u32, 0), "The largest number of UTXOs on a page."),
    encoding: described(withDefault(encoding, "hex"), "The encoding of the result."),
  }),
  result: object({
    numFetched: u32Text,
    utxos: list(hex),
    endIndex: object({ address: string, utxo: id }),
    encoding,
  }),
  examples: [
    {
      params: { addresses: ["X-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"] },
      result: {
        numFetched: "0",
        utxos: [],
        endIndex: { address: "X-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u", utxo: "11111111111111111111111111111111LpoYY" },
        encoding: "hex",
      },
    },
  ],

  handler({ addresses, encoding }, { node }) {
    requirePrivateChain(node)
    return { numFetched: 0, utxos: [], endIndex: { address: addresses[0] ?? "", utxo: EMPTY_ID }, encoding }
  },
})
