import { txsOfAddresses } from "../../../core/readmodel/explorer/txQueries.js"
import { described, list, optional, string } from "../../../jsonrpc/schema/kinds.js"
import { sum64, u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { time } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { addressOutput, id } from "../../kinds.js"
import { cursorOf, cursorOutput } from "../params/cursors.js"
import {
  addressesOf,
  addressParams,
  hasHistory,
  listParams,
  pageOf,
  requireHistory,
  requireNoGap,
  txKindsParam,
} from "../params/history.js"

const effect = object({
  address: addressOutput,
  assetID: id,
  received: described(
    sum64,
    "The sum of the outputs of the P-Chain that the transaction created for the address, in nAVAX for AVAX.",
  ),
  sent: described(sum64, "The sum of the outputs of the address that the transaction spent, in nAVAX for AVAX."),
})

export const getTxsByAddress = method({
  name: "platform.getTxsByAddress",
  summary:
    "Returns the accepted transactions that consumed or created outputs of an address or of several addresses, newest first, with their effect on each address. A cursor stays valid while new blocks are accepted.",
  isExtension: true,
  params: object({ ...addressParams, kinds: txKindsParam, ...listParams }),
  result: object({
    txs: list(
      object({
        txID: id,
        kind: string,
        height: u64,
        timestamp: time,
        effects: described(
          optional(list(effect)),
          "What changed for each address, by asset. Staked and exported amounts are sent; a stake that comes back and rewards are received. Omitted by a node that keeps no history.",
        ),
      }),
    ),
    cursor: cursorOutput,
  }),
  cost: 5,
  examples: [
    {
      params: { address: "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6", limit: 3 },
      result: {
        txs: [
          {
            txID: "2cBL2LWSw7Ngb12128mdMtRsncrhphQE9QKq9gJsJM1ZKTsg2j",
            kind: "ExportTx",
            height: "13",
            timestamp: "2024-07-30T04:00:07Z",
            effects: [],
          },
          {
            txID: "2ruVLd1MD1wZwsJhQAoBGFBS7QMKJXZH1AEg2iZtN2rLQ4574t",
            kind: "RewardValidatorTx",
            height: "11",
            timestamp: "2024-07-30T04:00:06Z",
            effects: [
              {
                address: "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6",
                assetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
                received: "2000000000000",
                sent: "0",
              },
            ],
          },
          {
            txID: "2ApQX8xHenXwszYSSrBkfj5J8HXDKCXgfFvGoe5hoExP1Tqbr2",
            kind: "RewardValidatorTx",
            height: "9",
            timestamp: "2024-07-29T04:00:07Z",
            effects: [
              {
                address: "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6",
                assetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
                received: "100374344799",
                sent: "0",
              },
            ],
          },
        ],
        cursor: "9-0",
      },
    },
    {
      title: "of some kinds in a period",
      params: {
        addresses: ["P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"],
        kinds: ["BaseTx", "ExportTx"],
        from: "2024-07-15T00:00:00Z",
        to: "2024-07-16T00:00:00Z",
      },
      result: {
        txs: [
          {
            txID: "2o3qFmUei4pxARsE8PiHDde4UHmtC8bidrhPDhLaZQAfYtQ1Wq",
            kind: "BaseTx",
            height: "1",
            timestamp: "2024-07-15T04:00:01Z",
            effects: [
              {
                address: "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6",
                assetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
                received: "15000000000",
                sent: "0",
              },
            ],
          },
        ],
        cursor: null,
      },
    },
  ],

  async handler({ kinds, ...call }, context, { pace }) {
    const past = context.past(pace)
    const addresses = addressesOf(call, context)
    const page = await pageOf(call, past, context, kinds.length > 0 ? requireHistory : requireNoGap)
    if (!page) return { txs: [], cursor: null }
    const hasEffects = hasHistory(context, page.to)
    const { events, next } = await txsOfAddresses(past, addresses, { kinds: [...new Set(kinds)], ...page })
    const txs = events.map(({ txID, kind, height, time, effects }) => ({
      ...{ txID, kind, height, timestamp: time },
      effects: hasEffects ? effects : undefined,
    }))
    return { txs, cursor: cursorOf(next) }
  },
})
