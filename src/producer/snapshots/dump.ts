import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import { decode } from "../../core/codec/decode.js"
import { list } from "../../core/codec/list.js"
import { bool, bytes, str, u32, u64 } from "../../core/codec/primitives.js"
import type { TypeOf } from "../../core/codec/schema.js"
import { struct } from "../../core/codec/struct.js"
import { decodeGenesis, type Genesis } from "../../core/genesis/genesis.js"
import { toHex, utf8 } from "../../core/lib/bytes.js"
import { Invalid } from "../../core/lib/invalid.js"
import type { AnyTable } from "../../core/state/table.js"
import { tables } from "../../core/state/tables.js"
import type { Edit, Edits } from "../../core/state/view.js"
import { decodeTx, type Tx } from "../../core/txs/tx.js"
import { producerError } from "../errors.js"

/** What the first bytes of a dumped state say, with its version behind. A change of tables that old rows do not follow raises it. */
export const MAGIC = utf8("serac state")
export const VERSION = 2

/** The oldest version that can be read. Up to 1 the read model had other tables; it is made anew from the rest. */
const OLDEST_VERSION = 1

/** What a dump begins with. */
const headFields = {
  networkID: u32,
  genesis: bytes,
  /** The rules' flags and the upgrade schedule, as the store keeps them: JSON in UTF-8. */
  rules: bytes,
  upgrades: bytes,
  /** Which projections made the read model's rows. */
  readModel: bytes,
  /** What the clock showed, Unix seconds. */
  now: u64,
  isFrozen: bool,
} as const

/** The codec of what a dump begins with. */
export const dumpHead = struct(headFields)

/** A whole private chain as one value. */
export const dump = struct({
  ...headFields,
  tables: list(struct({ name: str, rows: list(struct({ key: bytes, value: bytes })) })),
  /** The transactions that waited. */
  waiting: list(bytes),
})
export type Dump = TypeOf<typeof dump>

/** Chains pack to a half or a quarter: what unpacks to more than this many times its bytes was made to fill the memory. */
const MAX_RATIO = 16

/** Bytes that any dump may unpack to, however few it has. */
const ALWAYS_UNPACKED = 64 << 20

/** Throws `producer.bad_dump` and `producer.newer_dump`. */
export async function readDump(from: Uint8Array): Promise<Dump> {
  const version = from[MAGIC.length]
  if (version === undefined || !MAGIC.every((byte, i) => from[i] === byte)) throw producerError("producer.bad_dump")
  if (version > VERSION) throw producerError("producer.newer_dump", { version, known: VERSION })
  if (version < OLDEST_VERSION) throw producerError("producer.bad_dump", { version, known: VERSION })
  const maxOutputLength = Math.max(ALWAYS_UNPACKED, MAX_RATIO * from.length)
  try {
    return decode(dump, await promisify(gunzip)(from.subarray(MAGIC.length + 1), { maxOutputLength }))
  } catch (error) {
    throw producerError("producer.bad_dump", { reason: error instanceof Invalid ? error.code : (error as Error).message })
  }
}

/** Reads a part of a dump. Throws `producer.bad_dump` with its name where it is not what it must be. */
function reading<T>(part: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw producerError("producer.bad_dump", { part, reason: error.code })
  }
}

/** The genesis that a dumped chain grew from. */
export const genesisOf = ({ genesis }: Dump): Genesis => reading("genesis", () => decodeGenesis(genesis))

/** The transactions that waited on a dumped chain. */
export const waitingOn = ({ waiting }: Dump): Tx[] => reading("waiting", () => waiting.map((each) => decodeTx(each)))

/** The rows of a dump, to be written. Throws `producer.bad_dump` for rows that are none, and for tables that are not known, if they matter. */
export function editsFrom({ tables: dumped }: Dump, known: readonly AnyTable[], skipsUnknown: boolean): Edits {
  const byName = new Map(known.map((table) => [table.name, table]))
  const edits = new Map<AnyTable, Map<string, Edit>>()
  for (const { name, rows } of dumped) {
    const table = byName.get(name)
    if (!table && skipsUnknown) continue
    if (!table) throw producerError("producer.bad_dump", { part: name, reason: "no such table" })
    if (rows.some(({ key }) => key.length * 2 !== table.key.width)) {
      throw producerError("producer.bad_dump", { part: name, reason: "a key has the wrong size" })
    }
    const values = reading(name, () => rows.map(({ value }) => decode(table.value, value)))
    edits.set(table, new Map(rows.map(({ key }, i) => [toHex(key), { value: values[i], isNew: false }])))
  }
  if (!edits.get(tables.lastAccepted)?.size) throw producerError("producer.bad_dump", { reason: "no last accepted block" })
  return edits
}
