import type { Json } from "../../lib/json.js"
import { topLevelUtxo, type Utxo } from "../../types/utxo.js"
import { answer } from "../answer.js"
import { errorObject } from "../fault.js"
import { described, object, string } from "../schema.js"
import { bytesOfHex } from "./params.js"
import { method } from "./port.js"

const utxos = answer.list(answer.described(answer.json, "a UTXO"))

export const simulateTx = method({
  name: "dev.simulateTx",
  summary: "What a transaction, signed or not, would do in a block made now, and what it would cost. Keeps nothing.",
  params: object({ tx: described(string, "the transaction as 0x and hex; without credentials anyone is taken to have signed") }),
  result: answer.object({
    ok: answer.bool,
    error: answer.optional(
      answer.described(
        answer.object({ code: answer.number, message: answer.string, data: answer.json }),
        "why it would be refused",
      ),
    ),
    fee: answer.described(answer.digits, "nAVAX that it must burn at the price of gas now"),
    complexity: answer.object({
      bandwidth: answer.digits,
      dbRead: answer.digits,
      dbWrite: answer.digits,
      compute: answer.digits,
    }),
    consumed: utxos,
    produced: utxos,
    changes: answer.described(
      answer.list(answer.object({ table: answer.string, key: answer.string, before: answer.json, after: answer.json })),
      "other rows of the state; null where there is none",
    ),
  }),
  cost: 5,
  examples: [],

  handler({ tx }, { dev, dialect, node }) {
    const { error, fee, complexity, consumed, produced, changes } = dev.simulateTx(bytesOfHex("tx", tx))
    const as = { hrp: node.hrp }
    const utxoJson = (utxo: Utxo): Json => topLevelUtxo.toJson(utxo, as)
    const { bandwidth, dbRead, dbWrite, compute } = complexity
    return {
      ok: error === undefined,
      error: error && { ...errorObject(error, dialect) },
      fee: fee.toString(),
      complexity: {
        bandwidth: bandwidth.toString(),
        dbRead: dbRead.toString(),
        dbWrite: dbWrite.toString(),
        compute: compute.toString(),
      },
      consumed: consumed.map(utxoJson),
      produced: produced.map(utxoJson),
      changes: changes.map(({ table, key, before, after }) => {
        const json = (value: unknown): Json => (value === undefined ? null : table.value.toJson(value, as))
        return { table: table.name, key, before: json(before), after: json(after) }
      }),
    }
  },
})
