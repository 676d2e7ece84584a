import { decodeGenesis } from "../../core/genesis/genesis.js"
import { Invalid } from "../../core/lib/invalid.js"
import type { Json } from "../../core/lib/json.js"
import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import { identityText } from "../../core/networks/chainIdentity.js"
import { READ_MODEL_VERSION } from "../../core/readmodel/versions.js"
import { currentNodeTables, tablesBesideChain } from "../../datadir/nodeTables.js"
import { genesisEdits, storedChain } from "../../datadir/storedChain.js"
import { reportPublishedOnly } from "../../hosting/chainRecord.js"
import type { Registry } from "../../jsonrpc/metrics/registry.js"
import { openServedIdentity } from "../../node/identity/identity.js"
import { type Node, startNode } from "../../node/node.js"
import type { NodeChain, NodeHooks } from "../../node/nodeChain.js"
import type { NodeOptions } from "../../node/options.js"
import { type Database, openDatabase, urlWithoutPassword } from "../../postgres/connection.js"
import { postgresError } from "../../postgres/errors.js"
import { databaseFailure } from "../../postgres/failure.js"
import { publishedBlockID } from "../../postgres/publication.js"
import { PastRows } from "../../postgres/read/pastRows.js"
import { pastSources } from "../../postgres/read/pastSources.js"
import { readPublishedChain } from "../../postgres/read/publishedBlocks.js"
import { ReadStore } from "../../postgres/read/readStore.js"
import { TipFollower } from "../../postgres/read/tipFollower.js"
import { readOnlyLive } from "../readOnlyLive.js"
import { ReadChain } from "./readChain.js"

export interface ServePostgresOptions extends NodeOptions {
  readonly url: string
}

/** Number of connections for rows of the past. */
const CONNECTIONS = 4

/** The maximum size of cached rows of the past, bytes. */
const PAST_BYTES = 64 << 20

/** Timeout of a statement, milliseconds. */
const STATEMENT_TIMEOUT = 5000

/** Starts a server without a disk that reads a published chain. Throws `postgres.*` if the database cannot be read at all. */
export async function startServingPostgres(options: ServePostgresOptions): Promise<Node> {
  const { url } = options
  const [database, pool] = await Promise.all([
    openDatabase(url, { max: 2, name: "serac serve" }),
    openDatabase(url, { max: CONNECTIONS, name: "serac serve" }),
  ])
  const close = async () => {
    await Promise.all([database, pool].map((each) => each.end({ timeout: 1 }).catch(() => {})))
  }
  try {
    const reader = await openReader(database, pool, options)
    reportPublishedOnly(reader.store, urlWithoutPassword(url), options.log)
    const open = async (_: unknown, given: ServePostgresOptions & NodeHooks) => postgresNodeChain(reader, given, close)
    const node = await startNode(reader.store, { ...options, dataDir: undefined }, open)
    return { ...node, dataDir: urlWithoutPassword(url) }
  } catch (error) {
    await close()
    throw databaseFailure(error, url)
  }
}

/** Returns the chain of a database as the chain of a node. `close` closes the database. */
function postgresNodeChain(
  { data, store, past, database, chainID }: Awaited<ReturnType<typeof openReader>>,
  options: ServePostgresOptions & NodeHooks,
  close: () => Promise<void>,
): NodeChain {
  const { identity: flags, log, wall, stateChanged } = options
  const chain = new ReadChain({ database, store, past, data, chainID, log, wall, stateChanged })
  const follower = new TipFollower(chain, database, options)
  const status = (): ReadStatus => ({ ...chain.status, problem: follower.problem })
  return {
    data,
    identity: openServedIdentity({ flags, now: wholeSeconds(wall()) }),
    live: readOnlyLive(store, data, (height, id) => isPublished(database, height, id)),
    isReady: () => chain.status.isCaughtUp,
    isPastElsewhere: true,
    checks: [{ name: "postgres", run: () => readReport(status()) }],
    registerMetrics: (metrics) => registerReadMetrics(metrics, status, past),
    start: async () => follower.start(),
    async stop() {
      await follower.stop()
      await close()
    },
  }
}

/** Returns whether the database has a block that this server has not read yet. A database that cannot be asked may have it. */
async function isPublished(database: Database, height: bigint, id: string): Promise<boolean> {
  const found = await publishedBlockID(database, height).catch(() => id)
  return found === id
}

/** The progress of a read server, and the reason why nothing is read from the database at present. */
type ReadStatus = ReadChain["status"] & { readonly problem: Error | undefined }

/** Reports the progress of a read server. Throws while the server cannot follow the database. */
function readReport({ height, tip, isCaughtUp, problem }: ReadStatus): Json {
  if (problem) throw new Error(problem.message)
  if (!isCaughtUp) throw new Error(tip === undefined ? "nothing is published yet" : `catching up: height ${height} of ${tip}`)
  return { height: Number(height), tip: Number(tip ?? 0n) }
}

export function registerReadMetrics(registry: Registry, status: () => ReadStatus, past: PastRows): void {
  const lag = ({ tip = 0n, height }: ReadStatus) => Number(tip > height ? tip - height : 0n)
  registry.gauge("serac_read_tip_height", "Height of the last published block", () => Number(status().tip ?? 0n))
  registry.gauge("serac_read_lag_blocks", "Blocks of the database that this server has not executed yet", () => lag(status()))
  registry.gauge("serac_read_failing", "1 while the database cannot be read", () => (status().problem ? 1 : 0))
  registry.gauge("serac_read_cache_bytes", "Bytes that cached rows of the database take", () => past.size)
  const statements = () => past.counts.statements
  registry.gauge("serac_read_statements_total", "Statements that were sent to read rows of the past", statements, "counter")
}

/** Reads which chain the database has, and opens it at genesis. */
async function openReader(database: Database, pool: Database, { url }: ServePostgresOptions) {
  const published = await readPublishedChain(database)
  const sources = pastSources(() => pool)
  const past = new PastRows({
    sourceOf: (table) => sources.get(table),
    maxBytes: PAST_BYTES,
    timeout: STATEMENT_TIMEOUT,
    reasonOf: (error) => reasonOf(databaseFailure(error, url)),
  })
  const store = new ReadStore({ currentTables: currentNodeTables, tablesBesideChain, past })
  const { genesis: bytes, networkID, rules, upgrades, identity: chainID } = published
  const genesisID = decodeGenesis(bytes).block.id
  const origin = { identity: identityText({ kind: "followed", id: chainID }) }
  store.putMeta({ networkID, ...origin, genesis: bytes, genesisID, rules, upgrades, readModel: READ_MODEL_VERSION })
  const data = storedChain(store)
  store.commit(genesisEdits(data))
  return { data, store, past, database, chainID }
}

/** Returns the reason why an answer is not available because of the database. */
function reasonOf(error: unknown): Invalid {
  const reason = error instanceof Invalid ? error.code : (error as Error).message
  return postgresError("postgres.history_unavailable", { reason })
}
