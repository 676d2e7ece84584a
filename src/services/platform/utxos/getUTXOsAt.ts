import { Invalid } from "../../../core/lib/invalid.js"
import { MAX64 } from "../../../core/lib/math64.js"
import { type OutputPlace, utxosAt } from "../../../core/readmodel/explorer/moneyQueries.js"
import { id as idCodec, idText } from "../../../core/types/id.js"
import { list } from "../../../jsonrpc/schema/kinds.js"
import { u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"
import { platformError } from "../errors.js"
import { cursorOutput, limitOf, pageParams } from "../params/cursors.js"
import { addressesOf, addressParams, heightParam, pastHeight } from "../params/history.js"
import { utxoFacts, utxoMembers } from "../params/utxoOutput.js"

export const getUTXOsAt = method({
  name: "platform.getUTXOsAt",
  summary:
    "Returns the UTXOs that an address or one of several addresses owned, alone or with others, after a block, the last created first. A page looks at 10,000 outputs at most, so it may have fewer UTXOs than the limit and a cursor.",
  isExtension: true,
  params: object({ ...addressParams, height: heightParam("the UTXOs are"), ...pageParams }),
  result: object({ height: u64, utxos: list(object(utxoMembers)), cursor: cursorOutput }),
  cost: 5,
  examples: [
    {
      params: { address: "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6", height: 1, limit: 2 },
      result: {
        height: "1",
        utxos: [
          {
            utxoID: "2Lm7sWHNtpdwqhGcuqdBib7PpkzHRACJQFzq3faQ2TKJWFvgWs",
            txID: "2o3qFmUei4pxARsE8PiHDde4UHmtC8bidrhPDhLaZQAfYtQ1Wq",
            outputIndex: 0,
            assetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
            amount: "5000000000",
            addresses: ["P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"],
            threshold: 1,
            locktime: "1723608000",
          },
          {
            utxoID: "X3WtToF3pk4n2jBoodsZpNxX6wZyswtvWdzuZpJx7aHXUECUx",
            txID: "2o3qFmUei4pxARsE8PiHDde4UHmtC8bidrhPDhLaZQAfYtQ1Wq",
            outputIndex: 1,
            assetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
            amount: "7000000000",
            addresses: ["P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"],
            threshold: 1,
          },
        ],
        cursor: "1-2o3qFmUei4pxARsE8PiHDde4UHmtC8bidrhPDhLaZQAfYtQ1Wq-1",
      },
    },
  ],

  async handler({ height: at, limit, cursor, ...call }, context, { pace }) {
    const past = context.past(pace)
    const height = await pastHeight(at, past, context)
    const query = { addresses: addressesOf(call, context), height, after: placeIn(cursor), limit: limitOf(limit) }
    const { utxos, next } = await utxosAt(past, query)
    return { height, utxos: utxos.map(utxoFacts), cursor: next ? cursorTo(next) : null }
  },
})

const cursorTo = ({ height, txID, outputIndex }: OutputPlace): string => `${height}-${idText(txID)}-${outputIndex}`

/** Reads a cursor. Throws `platform.bad_cursor`. */
function placeIn(cursor: string): OutputPlace | undefined {
  if (cursor === "") return undefined
  const [height = "", txID = "", outputIndex = ""] = cursor.split("-")
  if (
    !/^\d{1,20}$/.test(height) ||
    BigInt(height) > MAX64 ||
    !/^\d{1,10}$/.test(outputIndex) ||
    Number(outputIndex) > 0xffff_ffff
  )
    throw platformError("platform.bad_cursor", { cursor })
  try {
    return { height: BigInt(height), txID: idCodec.fromJson(txID, {}), outputIndex: Number(outputIndex) }
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw platformError("platform.bad_cursor", { cursor })
  }
}
