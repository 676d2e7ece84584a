import { toJson } from "../../core/codec/valueSink.js"
import type { Json } from "../../core/lib/json.js"
import { topLevelUtxo } from "../../core/types/utxo.js"
import { errorObject } from "../../jsonrpc/errorObject.js"
import { bool, described, list, optional, string } from "../../jsonrpc/schema/kinds.js"
import { number, u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { json } from "../../jsonrpc/schema/outputs.js"
import { simulate } from "../dev/simulate.js"
import { devMethod } from "./context.js"
import { hexParam } from "./params.js"

const utxos = list({ ...topLevelUtxo, jsonSchema: { description: "A UTXO." } })

export const simulateTx = devMethod({
  name: "dev.simulateTx",
  summary:
    "Simulates a transaction, signed or unsigned, in a block built now, and returns its effects and its cost. The chain is not changed.",
  params: object({
    tx: described(string, "The transaction as hex with `0x`. If it has no credentials, all required signatures are assumed."),
  }),
  result: object({
    ok: bool,
    error: optional(
      described(object({ code: number, message: string, data: json }), "The error with which the transaction would be refused."),
    ),
    fee: described(u64, "The amount in nAVAX that the transaction must burn at the current price of gas."),
    complexity: object({
      bandwidth: u64,
      dbRead: u64,
      dbWrite: u64,
      compute: u64,
    }),
    consumed: utxos,
    produced: utxos,
    changes: described(
      list(object({ table: string, key: string, before: json, after: json })),
      "The changes of other rows of the state. A row is null if it does not exist, and {} if it has no value besides its key.",
    ),
  }),
  cost: 5,
  examples: [
    {
      params: {
        tx: "0x00000000002200003039000000000000000000000000000000000000000000000000000000000000000000000001dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db0000000700470c0d287ee1dc000000000000000000000001000000013cb7d3842e8cee6a0ebd09f1fe884f6861e1b29c00000001498e93f9a89cdbb4d6ba5746259f9d38f5c55a109682237a14caffedd6b68dde00000000dbcf890f77f49b96857648b72b77f9f82937f28a68704af05da0dc12ba53f2db0000000500470c0d287ef1df000000010000000000000000",
      },
      result: {
        ok: true,
        fee: "4099",
        complexity: { bandwidth: "299", dbRead: "1", dbWrite: "2", compute: "200" },
        consumed: [
          {
            txID: "ZPuyqTudnB1KisDLQ63bUcuaSAUjfabgtUeicZueDirHoHTBu",
            outputIndex: 0,
            assetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
            output: {
              addresses: ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"],
              amount: 19997973999972831n,
              locktime: 0,
              threshold: 1,
            },
          },
        ],
        produced: [
          {
            txID: "2gTTh5g7FWTShfSKpwkhhKRcdFJVMoQZHetfsyzjwEDF31RznQ",
            outputIndex: 0,
            assetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
            output: {
              addresses: ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"],
              amount: 19997973999968732n,
              locktime: 0,
              threshold: 1,
            },
          },
        ],
        changes: [],
      },
    },
  ],

  handler({ tx }, { chain, dialect, node }) {
    const { error, changes, ...simulation } = simulate(chain.status, hexParam("tx", tx), chain.now())
    const as = { hrp: node.hrp }
    return {
      ...simulation,
      ok: error === undefined,
      error: error && errorObject(error, dialect),
      changes: changes.map(({ table, key, before, after }) => {
        // A row without a value of its own is printed as an empty object.
        const json = (value: unknown): Json => (value === undefined ? null : (toJson(table.value, value, as) ?? {}))
        return { table: table.name, key, before: json(before), after: json(after) }
      }),
    }
  },
})
