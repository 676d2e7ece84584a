import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { PendingQuery, Row } from "postgres"
import type { RowBatch } from "../core/sql/rowBatch.js"
import { SQL_SCHEMA } from "../core/sql/schemaName.js"
import type { Transaction } from "./transaction.js"

/** Number of characters that are sent at once. */
const CHUNK = 1 << 16

/** Adds rows to their tables by COPY. */
export async function copyRows(transaction: Transaction, rows: RowBatch): Promise<void> {
  for (const [{ name, columns }, lines] of rows.tables()) {
    const statement = `copy ${SQL_SCHEMA}.${name} (${Object.keys(columns).join(", ")}) from stdin`
    await copyLines(transaction.unsafe(statement), lines)
  }
}

/**
 * Sends lines to a COPY statement. The client resolves the statement when the server is ready for data, and so ignores an error that
 * follows the data, such as a full disk: it would wait for ever. Its `reject` is replaced to receive that error.
 */
async function copyLines(query: PendingQuery<Row[]>, lines: readonly string[]): Promise<void> {
  const failed = new Promise<never>((_, reject) => Object.assign(query, { reject }))
  failed.catch(() => {})
  const stream = await Promise.race([query.writable(), failed])
  // The client's own way to end a stream writes to a socket that may be closed.
  stream._destroy = (error, callback) => callback(error)
  await Promise.race([pipeline(Readable.from(chunksOf(lines)), stream), failed])
}

function* chunksOf(lines: readonly string[]): Iterable<Buffer> {
  let chunk = ""
  for (const line of lines) {
    chunk += line
    if (chunk.length < CHUNK) continue
    yield Buffer.from(chunk)
    chunk = ""
  }
  if (chunk !== "") yield Buffer.from(chunk)
}
