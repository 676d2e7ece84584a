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

export interface DatabaseRow {
  /** Decodes the value when it is called first, so that the time counts as that of the reader. */
  value(): unknown
  /** The height of the block that wrote it. */
  readonly height: bigint
  /** The size of its value, bytes. */
  readonly size: number
}

/** The rows of some keys, and the ID of the block that the database has at the height of the reader. */
export interface FetchedRows {
  readonly blockID: ID | undefined
  /** The rows by key text, `undefined` for a key without a row. Keys whose rows would be too large together are left out. */
  readonly rows: ReadonlyMap<string, DatabaseRow | undefined>
}

/** A range of rows by key text. */
export interface TextRange {
  readonly prefix: string
  readonly from: string
}

/** The first rows of a range in the order of their keys. */
export interface Page {
  readonly rows: readonly (DatabaseRow & { readonly keyText: string })[]
  /** True if no row of the range is left. */
  readonly isLast: boolean
}

/** The pages of some ranges in their order, and the ID of the block that the database has at the height of the reader. */
export interface FetchedPages {
  readonly blockID: ID | undefined
  /** `undefined` for a range whose rows would be too large together with the others. */
  readonly pages: readonly (Page | undefined)[]
}

/** The rows of one table in the database. */
export interface PastSource {
  readonly table: AnyTable
  fetch(keyTexts: readonly string[], at: ReadPoint): Promise<FetchedRows>
  /** Fetches at most `limit` rows of each range. */
  fetchPages(ranges: readonly TextRange[], limit: number, at: ReadPoint): Promise<FetchedPages>
}

/** Returns the sources of all tables that are in the database and not in the memory of a read server. */
export function pastSources(database: () => Database): ReadonlyMap<AnyTable, PastSource> {
  const sources = new Map<AnyTable, PastSource>()
  for (const [table, number] of historyTables) sources.set(table, historySource(table, number, database))
  const [index] = readTables.setSegments.indexes
  const segments = sources.get(readTables.setSegments)
  // The index of the segments has the same keys.
  if (index && segments) sources.set(index.table, withoutValues(index.table, segments))
  for (const source of blockSources) sources.set(source.table, blocksSource(source, database))
  return sources
}

/** The size from which on a statement returns no more values, bytes. */
const STATEMENT_BYTES = 4 << 20

interface HistoryRow extends PlacedRow {
  readonly key: Uint8Array | null
  /** `null` if the key has no row, or if the values before it have enough bytes. */
  readonly value: Uint8Array | null
  /** The number of rows of the page, including those that are left out. */
  readonly count?: bigint
}

function historySource(table: AnyTable, number: number, database: () => Database): PastSource {
  const rowOf = (value: Uint8Array, height: bigint): DatabaseRow => ({
    value: decodedOnce(table, value),
    height,
    size: value.length,
  })
  return {
    table,
    async fetch(keyTexts, { height: at }) {
      const found = await database()<HistoryRow[]>`
        select (select block_id from serac.blocks where height = ${at}) as block_id, place, height,
          case when before < ${STATEMENT_BYTES} then value end as value
        from (
          select place, value, height, sum(octet_length(value)) over (order by place) - octet_length(value) as before
          from unnest(${arrayText(keyTexts)}::text[]) with ordinality as wanted (key, place)
          left join lateral (
            select value, height from serac.history
            where number = ${number} and key = decode(wanted.key, 'hex') and height <= ${at}
            order by height desc limit 1
          ) as newest on true
        ) as placed`
      return fetchedRows(keyTexts, found, ({ value, height }) => value && rowOf(value, height as bigint))
    },
    async fetchPages(ranges, limit, { height: at }) {
      const [firsts, ends] = [ranges.map(({ from }) => from), ranges.map(({ prefix }) => prefixEnd(prefix))]
      const found = await database()<HistoryRow[]>`
        select (select block_id from serac.blocks where height = ${at}) as block_id, place, key, value, height, count
        from (
          select *, count(key) over (partition by place) as count,
            sum(octet_length(value)) over (order by place, key) - octet_length(value) as before
          from unnest(${arrayText(firsts)}::text[], ${arrayText(ends)}::text[]) with ordinality as wanted (first, behind, place)
          left join lateral (
            select distinct on (key) key, value, height from serac.history
            where number = ${number} and key >= decode(first, 'hex') and key < decode(behind, 'hex') and height <= ${at}
            order by key, height desc limit ${limit}
          ) as found on true
        ) as placed
        where key is null or before < ${STATEMENT_BYTES}
        order by place, key`
      const pages: { rows: (DatabaseRow & { keyText: string })[]; isLast: boolean }[] = []
      for (const { place, key, value, height, count } of found) {
        const page = pages[Number(place) - 1] ?? { rows: [], isLast: true }
        pages[Number(place) - 1] = page
        if (key && value && height !== null) page.rows.push({ ...rowOf(value, height), keyText: toHex(key) })
        page.isLast = page.rows.length < limit && page.rows.length === Number(count)
      }
      return { blockID: blockIDOf(found[0]), pages }
    },
  }
}

/** A row with the place of its key among those that were requested, from 1 on. */
interface PlacedRow {
  /** The ID of the block at the height of the reader. */
  readonly block_id: string | null
  readonly place: bigint
  /** `null` if the key has no row. */
  readonly height: bigint | null
}

/** Assigns rows to their keys. `rowOf` returns `null` for a value that the statement left out. */
function fetchedRows<R extends PlacedRow>(
  keyTexts: readonly string[],
  found: readonly R[],
  rowOf: (row: R) => DatabaseRow | undefined | null,
): FetchedRows {
  const rows = new Map<string, DatabaseRow | undefined>()
  for (const each of found) {
    const row = each.height === null ? undefined : rowOf(each)
    if (row !== null) rows.set(keyTexts[Number(each.place) - 1] as string, row)
  }
  return { blockID: blockIDOf(found[0]), rows }
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
      return { blockID, rows: new Map([...rows].map(([keyText, row]) => [keyText, row && without(row)])) }
    },
    async fetchPages(ranges, limit, at) {
      const { blockID, pages } = await source.fetchPages(ranges, limit, at)
      return { blockID, pages: pages.map((page) => page && { ...page, rows: page.rows.map(without) }) }
    },
  }
}

/** A row of the table of blocks: those of its columns that a source reads. */
interface BlockRow extends PlacedRow {
  readonly id: string
  /** `null` if the blocks before it have enough bytes. */
  readonly bytes: Uint8Array | null
  readonly time: bigint
  readonly wrapper_id: string | null
  readonly wrapper_head: Uint8Array | null
  readonly wrapper_tail: Uint8Array | null
  readonly warp_height: bigint | null
}

/** A table whose rows are in the table of blocks. */
interface BlockSource {
  readonly table: AnyTable
  readonly key: "block_id" | "wrapper_id" | "height"
  /** The columns that are read. */
  readonly columns: string
  /** Returns the value of a row: `undefined` if it has none, `null` if it was left out. */
  cellOf(row: BlockRow): unknown
}

const blockSources: readonly BlockSource[] = [
  {
    table: tables.blocks,
    key: "block_id",
    columns: `case when before < ${STATEMENT_BYTES} then bytes end as bytes`,
    cellOf: ({ bytes }) => bytes,
  },
  { table: tables.blockIDs, key: "height", columns: "id", cellOf: ({ id }) => parseID(id) },
  {
    table: readTables.blockTimes,
    key: "height",
    columns: "extract(epoch from time)::bigint as time",
    cellOf: ({ time }) => time,
  },
  {
    table: wrapperTables.wrappers,
    key: "wrapper_id",
    columns: "wrapper_head, wrapper_tail",
    cellOf: ({ height, wrapper_head: head, wrapper_tail: tail }) => (head && tail ? { height, head, tail } : undefined),
  },
  {
    table: wrapperTables.wrapperIDs,
    key: "height",
    columns: "wrapper_id",
    cellOf: ({ wrapper_id }) => (wrapper_id ? parseID(wrapper_id) : undefined),
  },
  {
    table: wrapperTables.warpHeights,
    key: "height",
    columns: "warp_height",
    cellOf: ({ warp_height }) => warp_height ?? undefined,
  },
]

const MAX_BIGINT = (1n << 63n) - 1n

function blocksSource({ table, key, columns, cellOf }: BlockSource, database: () => Database): PastSource {
  const isHeight = key === "height"
  // A height that the column cannot have becomes one that no block has.
  const heightText = (keyText: string) => String(BigInt(`0x${keyText}`) > MAX_BIGINT ? -1n : BigInt(`0x${keyText}`))
  const statement = `
    select (select block_id from serac.blocks where height = $2) as block_id, place, height, ${columns}
    from (
      select wanted.place, found.*, found.block_id as id, sum(size) over (order by place) - size as before
      from unnest($1::${isHeight ? "bigint" : "text"}[]) with ordinality as wanted (key, place)
      left join serac.blocks as found on found.${key} = wanted.key and found.height <= $2
    ) as placed`
  const rowOf = (row: BlockRow): DatabaseRow | undefined | null => {
    const value = cellOf(row)
    const size = row.bytes?.length ?? 0
    return value === undefined || value === null ? value : { value: () => value, height: row.height as bigint, size }
  }
  return {
    table,
    async fetch(keyTexts, at) {
      const wanted = keyTexts.map((text) => (isHeight ? heightText(text) : idText(text as ID)))
      const found = await database().unsafe<BlockRow[]>(statement, [arrayText(wanted), String(at.height)])
      return fetchedRows(keyTexts, found, rowOf)
    },
    fetchPages() {
      throw new Error(`the rows of table ${table.name} cannot be listed on a read server`)
    },
  }
}

/** Writes an array as PostgreSQL reads it. The texts are numbers, hex or base58, and may be empty. */
const arrayText = (texts: readonly string[]): string => `{${texts.map((text) => `"${text}"`).join()}}`

function blockIDOf(row: PlacedRow | undefined): ID | undefined {
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
