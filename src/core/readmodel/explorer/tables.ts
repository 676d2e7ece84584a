import { list } from "../../codec/list.js"
import { bool, u8, u32, u64 } from "../../codec/primitives.js"
import type { Codec, TypeOf } from "../../codec/schema.js"
import { struct } from "../../codec/struct.js"
import { MAX64 } from "../../lib/math64.js"
import { compoundKey, descendingKey, hexKey, uintKey } from "../../state/key.js"
import { ownerKey } from "../../state/ownerKey.js"
import { type AnyPrimaryTable, noValue, singleton, table } from "../../state/table.js"
import { type ID, ID_SIZE, id, nodeID } from "../../types/id.js"
import { momentKey } from "../tables.js"

const idKey = hexKey<ID>(ID_SIZE)

/** The type ID of a transaction kind. All of them are below 256. */
const kindKey = uintKey(1)

/** The position of an output: its creation (newest first), and its transaction. */
const outputPlace = { height: descendingKey, txID: idKey, outputIndex: uintKey(4) }

/**
 * A sum of amounts: its number of bytes (0, 8 or 16), then the bytes. The rules limit the amount of an asset under one lock to 64 bits, but
 * not the sum over all locks of an owner, nor that over all of its UTXOs.
 */
const sum: Codec<bigint> = {
  minSize: 1,
  jsonSchema: { type: "string" },
  read(r) {
    const size = u8.read(r)
    const high = size === 16 ? u64.read(r) : 0n
    return size === 0 ? 0n : (high << 64n) | u64.read(r)
  },
  write(w, value) {
    u8.write(w, value === 0n ? 0 : value <= MAX64 ? 8 : 16)
    if (value > MAX64) u64.write(w, value >> 64n)
    if (value !== 0n) u64.write(w, value <= MAX64 ? value : value & MAX64)
  },
  writeJson: (sink, value) => sink.plain(String(value)),
  fromJson: (json) => BigInt(String(json)),
}

/** The amounts of one asset that a transaction took from an owner and paid to it. */
const effect = struct({ assetID: id, received: sum, sent: sum })
export type Effect = TypeOf<typeof effect>

/**
 * Rows for explorers: past owners and balances, and lists of transactions by subject. They are derived from the blocks alone. A node that
 * runs with `--history off` does not write them, and another run can add them later.
 */
export const explorerTables = {
  /** the progress of the other tables: their version, the height, the chain's time there (Unix seconds), and whether they are paused */
  progress: singleton("explorerProgress", struct({ version: u32, height: u64, time: u64, isPaused: bool })),
  /** kind, moment (newest first) → transaction */
  txsByKind: table("txsByKind", compoundKey({ typeID: kindKey, ...momentKey }), id),
  /** subject (see `subjectsOf`), moment (newest first) → transaction and the type ID of its kind */
  txsBySubject: table("txsBySubject", compoundKey({ subject: idKey, ...momentKey }), struct({ txID: id, typeID: u32 })),
  /** subject, kind, moment (newest first) → no value: a row of `txsBySubject` */
  txsBySubjectKind: table("txsBySubjectKind", compoundKey({ subject: idKey, typeID: kindKey, ...momentKey }), noValue),
  /** owner, kind, moment (newest first) → no value: a row of `txsByAddress` */
  txsByOwnerKind: table("txsByOwnerKind", compoundKey({ owner: ownerKey, typeID: kindKey, ...momentKey }), noValue),
  /** owner, moment (newest first) → amounts that the transaction took and paid, by asset */
  effects: table("effects", compoundKey({ owner: ownerKey, ...momentKey }), list(effect)),
  /** owner, asset, height (newest first) → the sum and the number of its UTXOs after the block */
  pastBalances: table(
    "pastBalances",
    compoundKey({ owner: ownerKey, assetID: idKey, height: descendingKey }),
    struct({ amount: sum, count: u64 }),
  ),
  /** owner, position of an output → no value: every output that it could ever spend */
  outputsByOwner: table("outputsByOwner", compoundKey({ owner: ownerKey, ...outputPlace }), noValue),
  /** UTXO → the transaction that spent it, and its height */
  spenders: table("spenders", idKey, struct({ txID: id, height: u64 })),
  /** subnet, moment (newest first) → a validator that left: its transaction or its validation ID */
  departures: table("departures", compoundKey({ subnetID: idKey, ...momentKey }), struct({ nodeID, stakerID: id, reason: u8 })),
  /** validation, height and step of the block (newest first) → no value: the balance of the L1 validator was used up */
  runOuts: table("runOuts", compoundKey({ validationID: idKey, ...momentKey }), noValue),
} as const

/** The tables with which a store must be opened for explorers. */
export const explorerTableList: readonly AnyPrimaryTable[] = Object.values(explorerTables)
