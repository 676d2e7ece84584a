import { decode } from "../../core/codec/decode.js"
import { wrapperTables } from "../../core/consensus/proposer/tables.js"
import { toHex } from "../../core/lib/bytes.js"
import { historyTables } from "../../core/readmodel/historyTables.js"
import { readTables } from "../../core/readmodel/tables.js"
import type { AnyTable } from "../../core/state/table.js"
import { tables } from "../../core/state/tables.js"
import { type ID, idText, parseID } from "../../core/types/id.js"
import type { Database } from "../connection.js"

/** The block at which a server reads. Rows of later blocks are not visible. */
export interface ReadPoint {
  readonly height: bigint
  readonly id: ID
}

/** A row of the database. */
export interface DatabaseRow {
  /** Decodes the value when it is called first, so that the time counts as that of the reader. */
  value(): unknown
  /** The height of the block that wrote it. */
  readonly height: bigint
  /** The size of its value, bytes. */
  readonly size: number
}

/** The rows of some keys in their order, and the ID of the block that the database has at the height of the reader. */
export interface FetchedRows {
  readonly blockID: ID | undefined
  readonly rows: readonly (DatabaseRow | undefined)[]
}

/** A range of rows by key text, and the number of rows to fetch. */
export interface PageRange {
  readonly prefix: string
  readonly from: string
  readonly limit: number
}

/** The first rows of a range in the order of their keys. */
export interface FetchedPage {
  readonly blockID: ID | undefined
  readonly rows: readonly (DatabaseRow & { readonly keyText: string })[]
  /** True if no row of the range is left. */
  readonly isLast: boolean
}

/** The rows of one table in the database. */
export interface PastSource {
  readonly table: AnyTable
  fetch(keyTexts: readonly string[], at: ReadPoint): Promise<FetchedRows>
  fetchPage(range: PageRange, at: ReadPoint): Promise<FetchedPage>
}

/** Returns the sources of all tables that are in the database and not in the memory of a read server. */
export function pastSources(database: () => Database): ReadonlyMap<AnyTable, PastSource> {
  const sources = new Map<AnyTable, PastSource>()
  for (const [table, number] of historyTables) sources.set(table, historySource(table, number, database))
  const [index] = readTables.setSegments.indexes
  const segments = sources.get(readTables.setSegments)
  // The index of the segments has the same keys.
  if (index && segments) sources.set(index.table, withoutValues(index.table, segments))
  const blockSource = (table: AnyTable, column: string, key: BlockKey, cellOf: (row: BlockRow) => unknown) =>
    sources.set(table, blocksSource({ table, column, key, cellOf, database }))
  blockSource(tables.blocks, "block_id", idKey, ({ bytes }) => bytes)
  blockSource(tables.blockIDs, "height", heightKey, ({ block_id }) => parseID(block_id))
  blockSource(readTables.blockTimes, "height", heightKey, ({ time }) => time)
  const wrapperOf = ({ height, wrapper_head: head, wrapper_tail: tail }: BlockRow) =>
    head && tail ? { height, head, tail } : undefined
  blockSource(wrapperTables.wrappers, "wrapper_id", idKey, wrapperOf)
  blockSource(wrapperTables.wrapperIDs, "height", heightKey, ({ wrapper_id }) => (wrapper_id ? parseID(wrapper_id) : undefined))
  blockSource(wrapperTables.warpHeights, "height", heightKey, ({ warp_height }) => warp_height ?? undefined)
  return sources
}

interface HistoryRow {
  readonly block_id: string | null
  readonly key: Uint8Array | null
  readonly value: Uint8Array | null
  readonly height: bigint | null
  /** Rows of the page, including those that are omitted because the page has enough bytes. */
  readonly count?: bigint | null
}

/** The size from which on a page has no more rows, bytes. */
const PAGE_BYTES = 1 << 20

function historySource(table: AnyTable, number: number, database: () => Database): PastSource {
  const fetched = ({ value, height }: HistoryRow): DatabaseRow | undefined =>
    value && height !== null ? { value: decodedOnce(table, value), height, size: value.length } : undefined
  return {
    table,
    async fetch(keyTexts, { height }) {
      const rows = await database()<HistoryRow[]>`
        select (select block_id from serac.blocks where height = ${height}) as block_id, found.value, found.height
        from unnest(${arrayText(keyTexts)}::text[]) with ordinality as wanted (key, place)
        left join lateral (
          select value, height from serac.history
          where number = ${number} and key = decode(wanted.key, 'hex') and height <= ${height}
          order by height desc limit 1
        ) as found on true
        order by wanted.place`
      return { blockID: blockIDOf(rows[0]), rows: rows.map(fetched) }
    },
    async fetchPage({ prefix, from, limit }, { height }) {
      const end = prefixEnd(prefix)
      const rows = await database()<HistoryRow[]>`
        select (select block_id from serac.blocks where height = ${height}) as block_id, page.*
        from (select 1) as always
        left join lateral (
          select *, count(*) over () as count, sum(octet_length(value)) over (order by key) - octet_length(value) as before
          from (
            select distinct on (key) key, value, height from serac.history
            where number = ${number} and key >= decode(${from}, 'hex') and key < decode(${end}, 'hex') and height <= ${height}
            order by key, height desc limit ${limit}
          ) as found
        ) as page on page.before < ${PAGE_BYTES}
        order by page.key`
      const found = rows.flatMap((row) => {
        const each = fetched(row)
        return each && row.key ? { ...each, keyText: toHex(row.key) } : []
      })
      return {
        blockID: blockIDOf(rows[0]),
        rows: found,
        isLast: found.length < limit && found.length === Number(rows[0]?.count ?? 0),
      }
    },
  }
}

/** Returns a function that decodes a value when it is called first. */
function decodedOnce(table: AnyTable, encoded: Uint8Array): () => unknown {
  let bytes: Uint8Array | undefined = encoded
  let value: unknown
  return () => {
    if (bytes) value = decode(table.value, bytes)
    bytes = undefined
    return value
  }
}

function withoutValues(table: AnyTable, source: PastSource): PastSource {
  const without = <T extends DatabaseRow>(row: T): T => ({ ...row, value: () => null })
  return {
    table,
    async fetch(keyTexts, at) {
      const { blockID, rows } = await source.fetch(keyTexts, at)
      return { blockID, rows: rows.map((row) => row && without(row)) }
    },
    async fetchPage(range, at) {
      const page = await source.fetchPage(range, at)
      return { ...page, rows: page.rows.map(without) }
    },
  }
}

interface BlockRow {
  readonly height: bigint
  readonly block_id: string
  readonly bytes: Uint8Array
  readonly time: bigint
  readonly wrapper_id: string | null
  readonly wrapper_head: Uint8Array | null
  readonly wrapper_tail: Uint8Array | null
  readonly warp_height: bigint | null
}

/** Converts a key text to a column of the table of blocks. */
interface BlockKey {
  readonly type: "text" | "bigint"
  toColumn(keyText: string): string
}

const idKey: BlockKey = { type: "text", toColumn: (keyText) => idText(keyText as ID) }
const heightKey: BlockKey = { type: "bigint", toColumn: (keyText) => String(BigInt(`0x${keyText}`)) }

interface BlocksSource {
  readonly table: AnyTable
  readonly column: string
  readonly key: BlockKey
  cellOf(row: BlockRow): unknown
  database(): Database
}

const MAX_BIGINT = (1n << 63n) - 1n

function blocksSource({ table, column, key, cellOf, database }: BlocksSource): PastSource {
  const columns =
    "height, block_id, bytes, extract(epoch from time)::bigint as time, wrapper_id, wrapper_head, wrapper_tail, warp_height"
  const fetched = (row: BlockRow): DatabaseRow | undefined => {
    const value = cellOf(row)
    return value === undefined ? undefined : { value: () => value, height: row.height, size: row.bytes.length }
  }
  return {
    table,
    async fetch(keyTexts, at) {
      const wanted = keyTexts.map((text) => key.toColumn(text))
      const inRange = key.type === "text" ? wanted : wanted.filter((text) => BigInt(text) <= MAX_BIGINT)
      const statement = `select ${columns} from serac.blocks where (${column} = any($1::${key.type}[]) and height <= $2) or height = $2`
      const rows = await database().unsafe<BlockRow[]>(statement, [arrayText(inRange), String(at.height)])
      const byColumn = new Map(rows.map((row) => [String(row[column as keyof BlockRow]), row]))
      const anchor = rows.find(({ height }) => height === at.height)
      return {
        blockID: anchor && parseID(anchor.block_id),
        rows: wanted.map((text) => {
          const row = byColumn.get(text)
          return row && fetched(row)
        }),
      }
    },
    fetchPage() {
      throw new Error(`the rows of table ${table.name} cannot be listed on a read server`)
    },
  }
}

/** Writes an array as PostgreSQL reads it. The texts are numbers, hex or base58, so none has to be quoted. */
const arrayText = (texts: readonly string[]): string => `{${texts.join()}}`

function blockIDOf(row: HistoryRow | undefined): ID | undefined {
  return row?.block_id ? parseID(row.block_id) : undefined
}

/** A text that is longer than any key. */
const BEHIND_ALL = "ff".repeat(256)

/** Returns a text after all key texts that begin with a prefix, and before all later ones. */
function prefixEnd(prefix: string): string {
  const trimmed = prefix.replace(/(?:ff)+$/, "")
  if (trimmed === "") return BEHIND_ALL
  const last = Number.parseInt(trimmed.slice(-2), 16) + 1
  return trimmed.slice(0, -2) + last.toString(16).padStart(2, "0")
}
