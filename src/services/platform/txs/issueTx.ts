import { unmarshalText } from "../../../core/codec/errors.js"
import { Invalid } from "../../../core/lib/invalid.js"
import type { Pace } from "../../../core/lib/pace.js"
import { decodeTxWithPause, type Tx } from "../../../core/txs/tx.js"
import { type Encoding, fromHexText } from "../../../core/types/hexText.js"
import { described, string, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"
import { encoding, id } from "../../kinds.js"
import { exampleTxHex, exampleTxID } from "./exampleTx.js"

export const issueTx = method({
  name: "platform.issueTx",
  summary:
    "Issues a signed transaction to the network. A transaction that is already in the mempool is accepted again. For a transaction that was dropped the error contains the reason.",
  params: object({
    tx: described(withDefault(string, ""), "The signed transaction in the given encoding."),
    encoding: described(withDefault(encoding, "hex"), "The encoding of `tx`."),
  }),
  result: object({ txID: id }),
  cost: 5,
  foreignOrigins: "refused",
  examples: [
    {
      params: {
        tx: exampleTxHex,
        encoding: "hex",
      },
      result: { txID: exampleTxID },
    },
  ],

  async handler({ tx: text, encoding }, { node }, { pace }) {
    const tx = await read(text, encoding, pace)
    try {
      await node.issueTx(tx, pace)
    } catch (error) {
      throw withPrefix("couldn't issue tx: ", error)
    }
    return { txID: tx.id }
  },
})

async function read(text: string, encoding: Encoding, pace: Pace): Promise<Tx> {
  let bytes: Uint8Array
  try {
    bytes = fromHexText(text, encoding)
  } catch (error) {
    throw withPrefix("problem decoding transaction: ", error)
  }
  if (pace.isDue) await pace.pause()
  try {
    return await decodeTxWithPause(bytes, pace)
  } catch (error) {
    throw withPrefix("couldn't parse tx: couldn't parse tx: ", error, unmarshalText)
  }
}

/** Returns the same refusal, with the failed step as a prefix of AvalancheGo's message. */
function withPrefix(step: string, error: unknown, textOf = ({ avalanchegoMessage }: Invalid) => avalanchegoMessage): unknown {
  if (!(error instanceof Invalid)) return error
  const { code, sentence, data } = error
  const reference = textOf(error)
  return new Invalid(
    code,
    { sentence: sentence, avalanchegoMessage: reference.startsWith(step) ? reference : step + reference },
    data,
  )
}
