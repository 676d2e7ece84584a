import { apiPage, openRpcFile } from "./api.js"
import { cliPage } from "./cli.js"
import { allRefusals, errorsPage } from "./errors.js"
import { libraryPage } from "./library.js"
import { metricsPage } from "./metrics.js"
import { sqlSchemaPage } from "./sql.js"
import { transactionsPage } from "./transactions.js"
import { tuningPeersPage } from "./tuningPeers.js"

/** Makes the files of docs/reference/, by name. They are not in git: `npm run docs` writes them. */
export async function referenceFiles(): Promise<Readonly<Record<string, string>>> {
  return {
    "api.md": apiPage(),
    "cli.md": await cliPage(),
    "errors.md": errorsPage(await allRefusals()),
    "library.md": libraryPage(),
    "metrics.md": await metricsPage(),
    "openrpc.json": openRpcFile(),
    "sql-schema.md": sqlSchemaPage(),
    "transactions.md": transactionsPage(),
    "tuning-peers.md": tuningPeersPage(),
  }
}
