import type { Json } from "../../../core/lib/json.js"

/** The transaction in the examples of several methods. It creates a subnet. */
export const exampleTxID = "2fTMf76veWTt8ZttMsPYqirhd44uShAXAGScbZxDG3MNSFvxka"

export const exampleTxHex =
  "0x00000000001000003039000000000000000000000000000000000000000000000000000000000000000000000001dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db0000000700470de16151a580000000000000000000000001000000013cb7d3842e8cee6a0ebd09f1fe884f6861e1b29c00000001ec416e645e9b26680f2ab35340cc6cd0bf8f3d7874b221e1e975c53f6b47086e00000002dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db0000000500470de16160e7c00000000100000000000000000000000b000000000000000000000001000000013cb7d3842e8cee6a0ebd09f1fe884f6861e1b29c000000010000000900000001000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000004d0236f"

export const exampleTxJson: Json = {
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
}
