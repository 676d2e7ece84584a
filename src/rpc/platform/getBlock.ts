import { tables } from "../../state/tables.js"
import { idText } from "../../types/id.js"
import { method } from "../method.js"
import { encoding, id, object, withDefault } from "../schema.js"
import { blockAnswer, encodedBlock } from "./blocks.js"
import { platformError } from "./errors.js"

export const getBlock = method({
  name: "platform.getBlock",
  summary: "A block by its own ID, which is not that of its ProposerVM wrapper; accepted, or verified and not yet accepted.",
  params: object({ blockID: id, encoding: withDefault(encoding, "hex") }),
  result: blockAnswer,
  examples: [
    {
      params: { blockID: "2N3FcTtu4ADPZTJhfVSmPxA2mpcv3jdKSi1A5hH9ZUKsyAtAma", encoding: "json" },
      result: {
        block: {
          time: 1721016002,
          parentID: "RCW7r4XEJdMwv2KrEJmRQ47cqT321wZGz6r6FNs1MPd9Td6YJ",
          height: 2,
          id: "2N3FcTtu4ADPZTJhfVSmPxA2mpcv3jdKSi1A5hH9ZUKsyAtAma",
          txs: [
            {
              unsignedTx: {
                networkID: 12345,
                blockchainID: "11111111111111111111111111111111LpoYY",
                outputs: [
                  {
                    assetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
                    fxID: "spdxUxVJQbX85MGxMHbKw1sHxMnSqJ3QBzDyDYEP3h6TLuxqQ",
                    output: {
                      addresses: ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"],
                      amount: 19999984998000000n,
                      locktime: 0,
                      threshold: 1,
                    },
                  },
                ],
                inputs: [
                  {
                    txID: "2o3qFmUei4pxARsE8PiHDde4UHmtC8bidrhPDhLaZQAfYtQ1Wq",
                    outputIndex: 2,
                    assetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
                    fxID: "spdxUxVJQbX85MGxMHbKw1sHxMnSqJ3QBzDyDYEP3h6TLuxqQ",
                    input: { amount: 19999984999000000n, signatureIndices: [0] },
                  },
                ],
                memo: "0x",
                owner: { addresses: ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"], locktime: 0, threshold: 1 },
              },
              credentials: [
                {
                  signatures: [
                    "0x0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
                  ],
                },
              ],
              id: "2fTMf76veWTt8ZttMsPYqirhd44uShAXAGScbZxDG3MNSFvxka",
            },
          ],
        },
        encoding: "json",
      },
    },
  ],

  handler({ blockID, encoding }, context) {
    const bytes = context.view.get(tables.blocks, blockID) ?? context.node.processingBlock(blockID)?.bytes
    if (!bytes) throw platformError("platform.unknown_block", { blockID: idText(blockID) })
    return encodedBlock(bytes, encoding, context)
  },
})
