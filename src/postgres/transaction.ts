import type { Sql } from "postgres"
import type { Database } from "./connection.js"
import { postgresError } from "./errors.js"

/** A transaction, which takes one statement after the other. */
export type Transaction = Pick<Sql<{ bigint: bigint }>, "unsafe">

/**
 * Runs statements in one transaction of a pool with one connection. The client must not get a statement after its connection was closed,
 * because it would end the process with a fault of its own. So nothing is rolled back here; the caller closes the connection after every
 * failure, and the server then drops the transaction.
 */
export async function inTransaction(
  database: Database,
  isClosed: () => boolean,
  work: (transaction: Transaction) => Promise<void>,
): Promise<void> {
  const connection = await database.reserve()
  const unsafe: Transaction["unsafe"] = (statement, ...rest) => {
    if (isClosed()) throw postgresError("postgres.unreachable", { reason: "CONNECTION_CLOSED" })
    return connection.unsafe(statement, ...rest)
  }
  try {
    await unsafe("begin")
    await work({ unsafe })
    await unsafe("commit")
  } finally {
    connection.release()
  }
}
