import { once } from "node:events"
import type { PendingQuery, Row } from "postgres"
import type { RowBatch, SqlTable } from "../core/sql/sqlTable.js"
import { SQL_SCHEMA } from "../core/sql/sqlTable.js"
import type { Transaction } from "./transaction.js"

/** Number of bytes that are sent at once. */
const CHUNK = 1 << 16

/** Adds rows to their tables by COPY, or only those of one table. */
export async function copyRows(transaction: Transaction, rows: RowBatch, only?: SqlTable): Promise<void> {
  for (const [table, bytes] of rows.tables()) {
    if (only && table !== only) continue
    const { name, columns } = table
    const statement = `copy ${SQL_SCHEMA}.${name} (${Object.keys(columns).join(", ")}) from stdin`
    await copyBytes(transaction.unsafe(statement), bytes)
  }
}

/**
 * Sends rows to a COPY statement. The client resolves the statement when the server is ready for data, and so ignores an error that
 * follows the data, such as a full disk: it would wait for ever. Its `reject` is replaced to receive that error.
 */
async function copyBytes(query: PendingQuery<Row[]>, bytes: Uint8Array): Promise<void> {
  const failed = new Promise<never>((_, reject) => Object.assign(query, { reject }))
  failed.catch(() => {})
  const stream = await Promise.race([query.writable(), failed])
  // The stream is not destroyed after a failure, because the client would then write to a socket that may be closed.
  const finished = once(stream, "finish")
  finished.catch(() => {})
  for (let at = 0; at < bytes.length; at += CHUNK) {
    if (!stream.write(bytes.subarray(at, at + CHUNK))) await Promise.race([once(stream, "drain"), finished, failed])
  }
  stream.end()
  await Promise.race([finished, failed])
}
