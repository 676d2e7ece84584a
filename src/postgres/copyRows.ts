import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { TransactionSql } from "postgres"
import type { RowBatch } from "../core/sql/rowBatch.js"
import { SQL_SCHEMA } from "../core/sql/schemaName.js"

/** Characters that are sent at once. */
const CHUNK = 1 << 16

/** Adds rows to their tables by COPY. */
export async function copyRows(transaction: TransactionSql<{ bigint: bigint }>, rows: RowBatch): Promise<void> {
  for (const [{ name, columns }, lines] of rows.tables()) {
    const statement = `copy ${SQL_SCHEMA}.${name} (${Object.keys(columns).join(", ")}) from stdin`
    const stream = await transaction.unsafe(statement).writable()
    await pipeline(Readable.from(chunksOf(lines)), stream)
  }
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
