import { createHash } from "node:crypto"
import { setImmediate } from "node:timers/promises"
import { decode } from "../../core/codec/decode.js"
import { str, u32 } from "../../core/codec/primitives.js"
import { decodeGenesis, type Genesis } from "../../core/genesis/genesis.js"
import { equalBytes, toHex } from "../../core/lib/bytes.js"
import { Invalid } from "../../core/lib/invalid.js"
import type { AnyTable } from "../../core/state/table.js"
import { tables } from "../../core/state/tables.js"
import type { Edit, Edits } from "../../core/state/view.js"
import { decodeTx, type Tx } from "../../core/txs/tx.js"
import { producerError } from "../errors.js"
import { type DumpHead, dumpHead, dumpRow, dumpWaiting, END_SIZE, endOf, MAGIC, VERSION } from "./dump.js"
import { UnpackedBytes } from "./unpackedBytes.js"

/**
 * The maximum ratio of unpacked to packed bytes. Chains pack to a half or a quarter; a file with a larger ratio was made to fill the
 * memory.
 */
const MAX_RATIO = 16

/** The number of bytes that any dump may unpack to, however small it is. */
const ALWAYS_UNPACKED = 64 << 20

/** The number of rows, and of bytes of their values, that are passed on at a time. */
const [PART_ROWS, PART_BYTES] = [1000, 1 << 19]

/** Finds the table of a name in a dump; `skipped` if its rows are not needed, `undefined` if no dump may have it. */
export type TableByName = (name: string) => AnyTable | "skipped" | undefined

/**
 * Reads a dump from beginning to end: its head, then its rows in parts, then the waiting transactions. Other work runs between two parts.
 * All methods throw `producer.bad_dump` if the bytes are not a dump.
 */
export class DumpReader {
  readonly head: DumpHead
  readonly #bytes: UnpackedBytes

  private constructor(head: DumpHead, bytes: UnpackedBytes) {
    this.head = head
    this.#bytes = bytes
  }

  /** Reads the head of a dump. Also throws `producer.newer_dump`. */
  static async open(packed: Uint8Array): Promise<DumpReader> {
    checkVersion(packed)
    const body = packed.subarray(MAGIC.length + 1, -END_SIZE)
    if (!equalBytes(endOf(createHash("sha256").update(body).digest()), packed.subarray(-END_SIZE)))
      throw producerError("producer.bad_dump", { reason: "the file was changed after it was written, or its end is missing" })
    const bytes = new UnpackedBytes(body, Math.max(ALWAYS_UNPACKED, MAX_RATIO * packed.length))
    return new DumpReader(await reading(undefined, () => bytes.read(dumpHead)), bytes)
  }

  /** Returns the genesis of the chain. */
  genesis(): Genesis {
    return readingNow("genesis", () => decodeGenesis(this.head.genesis))
  }

  /** Returns all rows of the selected tables, in parts, in the order of their keys. */
  async *rows(tableOf: TableByName): AsyncGenerator<Edits, void> {
    const seen = new Set<string>()
    let hasLastAccepted = false
    for (let left = await this.#number(); left > 0; left--) {
      const name = await reading(undefined, () => this.#bytes.read(str))
      const table = tableOf(name)
      if (table === undefined) throw producerError("producer.bad_dump", { part: name, reason: "no such table" })
      if (seen.has(name)) throw producerError("producer.bad_dump", { part: name, reason: "the table is there twice" })
      seen.add(name)
      for await (const rows of this.#rowsOf(table)) {
        if (table === tables.lastAccepted) hasLastAccepted = true
        if (table !== "skipped") yield new Map([[table, rows]])
      }
    }
    if (!hasLastAccepted) throw producerError("producer.bad_dump", { reason: "no last accepted block" })
  }

  /** Returns the waiting transactions after all rows were read, and checks that nothing follows them. */
  async waiting(): Promise<readonly Tx[]> {
    const waiting = await reading(undefined, () => this.#bytes.read(dumpWaiting))
    await reading(undefined, () => this.#bytes.end())
    return readingNow("waiting", () => waiting.map((each) => decodeTx(each)))
  }

  /** Stops reading. */
  close(): void {
    this.#bytes.close()
  }

  /** Reads the rows of one table in parts. Skipped rows have no values. */
  async *#rowsOf(table: AnyTable | "skipped"): AsyncGenerator<ReadonlyMap<string, Edit>, void> {
    let rows = new Map<string, Edit>()
    let size = 0
    let last = ""
    for (let left = await this.#number(); left > 0; left--) {
      const { key, value } = this.#bytes.tryRead(dumpRow) ?? (await reading(undefined, () => this.#bytes.read(dumpRow)))
      const text = toHex(key)
      if (table !== "skipped") rows.set(text, rowOf(table, { text, last, value }))
      last = text
      size += value.length
      if (left > 1 && rows.size < PART_ROWS && size < PART_BYTES) continue
      yield rows
      await setImmediate()
      rows = new Map()
      size = 0
    }
  }

  #number(): Promise<number> {
    return reading(undefined, () => this.#bytes.read(u32))
  }
}

/** Checks the version of a dump. Throws `producer.bad_dump`, `older_dump` and `newer_dump`. */
function checkVersion(packed: Uint8Array): void {
  const version = packed[MAGIC.length]
  if (version === undefined || !MAGIC.every((byte, i) => packed[i] === byte)) throw producerError("producer.bad_dump")
  if (version > VERSION) throw producerError("producer.newer_dump", { version, known: VERSION })
  if (version < VERSION) throw producerError("producer.older_dump", { version, known: VERSION })
}

interface RawRow {
  readonly text: string
  /** The previous key. */
  readonly last: string
  readonly value: Uint8Array
}

function rowOf(table: AnyTable, { text, last, value }: RawRow): Edit {
  const refuse = (reason: string) => producerError("producer.bad_dump", { part: table.name, reason })
  if (text.length !== table.key.width) throw refuse("a key has the wrong size")
  if (last !== "" && text <= last) throw refuse("the keys do not ascend")
  return { value: readingNow(table.name, () => decode(table.value, value)), isNew: true }
}

/** Reads a part of a dump. Throws `producer.bad_dump` with the name of the part if it is malformed. */
function readingNow<T>(part: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw badDump(part, error)
  }
}

async function reading<T>(part: string | undefined, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw badDump(part, error)
  }
}

function badDump(part: string | undefined, error: unknown): Invalid {
  const reason = error instanceof Invalid ? error.code : (error as Error).message
  return producerError("producer.bad_dump", part === undefined ? { reason } : { part, reason })
}
