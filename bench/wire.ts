import { blockToJson, decodeBlock, topLevelBlock } from "../src/core/blocks/block.js"
import { blockTypes } from "../src/core/blocks/kinds.js"
import { encode } from "../src/core/codec/decode.js"
import { toJson } from "../src/core/codec/valueSink.js"
import { printJson } from "../src/core/lib/json.js"
import { txTypes } from "../src/core/txs/index.js"
import { decodeTx, signedTxOf, topLevelTx } from "../src/core/txs/tx.js"
import { idOf } from "../src/core/types/id.js"
import { blockFixture, typicalBlock, typicalTx } from "../test/fixtures/blocks.js"
import { signedFixture } from "../test/fixtures/txs.js"
import type { Bench, Work } from "./harness.js"

const as = { hrp: "local" }

/** The figures that were promised. */
const typical: readonly Bench[] = [
  {
    name: "wire: a typical transaction, decode + ID",
    aimMicros: 15,
    prepare: () => decoding(typicalTx().bytes, decodeTx),
  },
  {
    name: "wire: a block of 10 such, decode + IDs",
    aimMicros: 150,
    prepare: () => decoding(typicalBlock(10).bytes, decodeBlock),
  },
]

function decoding(bytes: Uint8Array, decode: (bytes: Uint8Array) => { id: string }): Work {
  return { run: () => decode(bytes).id, note: `${bytes.length} B` }
}

const txs = txTypes.flatMap(({ kind }): Bench[] => [
  { name: `wire: ${kind} decode + ID`, prepare: () => decoding(signedFixture(kind).bytes, decodeTx) },
  { name: `wire: ${kind} encode`, prepare: () => of(signedFixture(kind), (tx) => signedTxOf(tx.unsignedTx, tx.credentials)) },
  { name: `wire: ${kind} ID`, prepare: () => of(signedFixture(kind).bytes, idOf) },
  { name: `wire: ${kind} JSON`, prepare: () => of(signedFixture(kind), (tx) => printJson(toJson(topLevelTx, tx, as))) },
])

const blocks = blockTypes.flatMap(({ kind }): Bench[] => [
  { name: `wire: ${kind} decode + IDs`, prepare: () => decoding(blockFixture(kind).bytes, decodeBlock) },
  { name: `wire: ${kind} encode`, prepare: () => of(blockFixture(kind), (block) => encode(topLevelBlock, block)) },
  { name: `wire: ${kind} ID`, prepare: () => of(blockFixture(kind).bytes, idOf) },
  { name: `wire: ${kind} JSON`, prepare: () => of(blockFixture(kind), (block) => printJson(blockToJson(block, as))) },
])

function of<T>(value: T, work: (value: T) => unknown): Work {
  return { run: () => work(value) }
}

/** The wire: bytes to values and back, IDs, and JSON, for every kind. */
export const wire: readonly Bench[] = [...typical, ...txs, ...blocks]
