import { list } from "../../core/codec/list.js"
import { bool, bytes, str, u32, u64 } from "../../core/codec/primitives.js"
import type { TypeOf } from "../../core/codec/schema.js"
import { struct } from "../../core/codec/struct.js"
import { utf8 } from "../../core/lib/bytes.js"

/** The first bytes of a dumped state, followed by its version. The version is raised when a change of tables does not fit old rows. */
export const MAGIC = utf8("serac state")
export const VERSION = 4

/** The size of the end of a dump, see `endOf`. */
export const END_SIZE = 33

/** Returns the end of a dump: a zero, at which programs that unpack gzip stop, and the SHA-256 of the packed bytes, so that a changed file is refused. */
export const endOf = (sha256: Uint8Array): Uint8Array => Uint8Array.of(0, ...sha256)

/** The head of a dump. */
const headFields = {
  networkID: u32,
  genesis: bytes,
  /** The rules' flags and the upgrade schedule as the store has them: JSON in UTF-8. */
  rules: bytes,
  upgrades: bytes,
  /** Version of the projections that made the read model's rows. */
  readModel: bytes,
  /** Time of the clock, Unix seconds. */
  now: u64,
  isFrozen: bool,
  /** The ID of the chain, which all its copies have. */
  id: str,
} as const

/** The codec of the head of a dump. */
export const dumpHead = struct(headFields)

export type DumpHead = TypeOf<typeof dumpHead>

/** The codec of a row: its key and its value, both as bytes. */
export const dumpRow = struct({ key: bytes, value: bytes })

/** The codec of the waiting transactions at the end of a dump. */
export const dumpWaiting = list(bytes)

/** A whole private chain as one value. */
export const dump = struct({
  ...headFields,
  tables: list(struct({ name: str, rows: list(dumpRow) })),
  waiting: dumpWaiting,
})
export type Dump = TypeOf<typeof dump>
