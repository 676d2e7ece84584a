import { setTimeout } from "node:timers/promises"
import { type ChainData, genesisEdits, storedChainData } from "../../chaindata/chainData.js"
import { currentNodeTables, tablesBesideChain } from "../../chaindata/nodeTables.js"
import { decodeGenesis } from "../../core/genesis/genesis.js"
import { Invalid } from "../../core/lib/invalid.js"
import type { Log } from "../../core/lib/log.js"
import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import { identityText } from "../../core/networks/chainIdentity.js"
import { isProduction } from "../../core/networks/names.js"
import { READ_MODEL_VERSION } from "../../core/readmodel/versions.js"
import type { NodeFaults } from "../../node/failure.js"
import { openIdentity } from "../../node/identity/identity.js"
import { startNode } from "../../node/node.js"
import type { NodeOptions } from "../../node/options.js"
import type { ChainSource } from "../../node/source.js"
import { type Database, openDatabase, urlWithoutPassword } from "../../postgres/connection.js"
import { postgresError } from "../../postgres/errors.js"
import { databaseFailure } from "../../postgres/failure.js"
import { TIP_CHANNEL } from "../../postgres/publication.js"
import { PastRows } from "../../postgres/read/pastRows.js"
import { pastSources } from "../../postgres/read/pastSources.js"
import { readPublishedChain } from "../../postgres/read/publishedBlocks.js"
import { ReadStore } from "../../postgres/read/readStore.js"
import type { ServedChain } from "../served/serve.js"
import { servedPort } from "../servedPort.js"
import { ReadChain } from "./readChain.js"
import { type ReadStatus, readReport, registerReadMetrics } from "./readStatus.js"

/** Options of a read server. */
export interface ServePostgresOptions extends NodeOptions {
  /** The URL of the database. */
  readonly url: string
}

/** Number of connections for rows of the past. */
const CONNECTIONS = 4

/** The maximum size of cached rows of the past, bytes. */
const PAST_BYTES = 64 << 20

/** Milliseconds between two checks of the tip: if the server notifies, and if it does not, as a replica. */
const [NOTIFIED_POLL_MILLISECONDS, POLL_MILLISECONDS] = [1000, 50]

/** Milliseconds until the next attempt after a failure. */
const RETRY = 500

/** Timeout of a statement, milliseconds. */
const STATEMENT_TIMEOUT = 5000

/** Starts a server without a disk that reads a published chain. Throws `postgres.*` if the database cannot be read at all. */
export async function startServingPostgres(options: ServePostgresOptions): Promise<ServedChain> {
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
    const source = async (faults: NodeFaults): Promise<ChainSource> => {
      const follower = new TipFollower(reader.chain, database, { ...options, ...faults })
      return postgresSource(reader, follower, { ...options, close })
    }
    const node = await startNode({ ...options, dataDir: undefined, store: reader.store, source })
    return { ...node, dataDir: urlWithoutPassword(url) }
  } catch (error) {
    await close()
    throw databaseFailure(error, url)
  }
}

/** Returns the chain of a database as the chain of a node. `close` closes the database. */
function postgresSource(
  { data, chain, store, past }: Reader,
  follower: TipFollower,
  { identity: flags, wall, close }: NodeOptions & { close(): Promise<void> },
): ChainSource {
  const status = (): ReadStatus => ({ ...chain.status, problem: follower.problem })
  return {
    data,
    identity: openIdentity({ isBuiltIn: !isProduction(data.rules.networkID), flags, now: wholeSeconds(wall()) }),
    port: servedPort(store, data, chain.onAccepted),
    isReady: () => chain.status.isCaughtUp,
    isPastElsewhere: true,
    checks: [{ name: "postgres", questions: ["health"], run: () => readReport(status()) }],
    registerMetrics: (metrics) => registerReadMetrics(metrics, status, past),
    start: async () => follower.start(),
    interrupt() {},
    async stop() {
      await follower.stop()
      await close()
    },
  }
}

interface Reader {
  readonly data: ChainData
  readonly chain: ReadChain
  readonly store: ReadStore
  readonly past: PastRows
}

/** Reads which chain the database has, and opens it at genesis. */
async function openReader(database: Database, pool: Database, { url, log }: ServePostgresOptions): Promise<Reader> {
  const published = await readPublishedChain(database)
  const sources = pastSources(() => pool)
  const past = new PastRows({
    sourceOf: (table) => sources.get(table),
    maxBytes: PAST_BYTES,
    timeout: STATEMENT_TIMEOUT,
    reasonOf: (error) => reasonOf(databaseFailure(error, url)),
  })
  const store = new ReadStore({ currentTables: currentNodeTables, tablesBesideChain, past })
  const { genesis: bytes, networkID, rules, upgrades, identity } = published
  const genesisID = decodeGenesis(bytes).block.id
  const origin = identity === null ? {} : { identity: identityText({ kind: "followed", id: identity }) }
  store.putMeta({ networkID, ...origin, genesis: bytes, genesisID, rules, upgrades, readModel: READ_MODEL_VERSION })
  const data = storedChainData(store)
  const genesis = () => genesisEdits(data)
  store.commit(genesis())
  const chain = new ReadChain({ database, store, past, data, identity, currentTables: currentNodeTables, genesis, log })
  return { data, chain, store, past }
}

/** Returns the reason why an answer is not available because of the database. */
function reasonOf(error: unknown): Invalid {
  const reason = error instanceof Invalid ? error.code : (error as Error).message
  return postgresError("postgres.history_unavailable", { reason })
}

interface TipFollowerOptions extends NodeFaults {
  readonly url: string
  readonly log: Log
}

/** Follows the tip of a database by notifications, and by checking at intervals. */
class TipFollower {
  readonly #chain: ReadChain
  readonly #database: Database
  readonly #options: TipFollowerOptions
  #problem: Error | undefined
  #isStopped = false
  #isNotified = false
  #isDue = false
  #wake: () => void = () => {}
  #running: Promise<void> | undefined

  constructor(chain: ReadChain, database: Database, options: TipFollowerOptions) {
    this.#chain = chain
    this.#database = database
    this.#options = options
  }

  /** The reason why the database cannot be read at present. */
  get problem(): Error | undefined {
    return this.#problem
  }

  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#wake()
    await this.#running
  }

  async #run(): Promise<void> {
    void this.#listen()
    let isRestored = false
    while (!this.#isStopped) {
      try {
        this.#isDue = false
        if (!isRestored) await this.#chain.restore()
        isRestored = true
        await this.#chain.catchUp()
        this.#recovered()
        await this.#rest(this.#isNotified ? NOTIFIED_POLL_MILLISECONDS : POLL_MILLISECONDS)
      } catch (error) {
        this.#failed(error)
        if (error instanceof Invalid && error.code === "postgres.replaced") return this.#options.onFault(error)
        // A block that cannot be executed here may be part of a later snapshot.
        isRestored = false
        await setTimeout(RETRY)
      }
    }
  }

  /** A replica does not notify, so the tip is checked more often. */
  async #listen(): Promise<void> {
    const notified = () => {
      this.#isDue = true
      this.#wake()
    }
    try {
      await this.#database.listen(TIP_CHANNEL, notified, notified)
      this.#isNotified = true
    } catch (error) {
      if (!this.#isStopped) this.#options.log.info("the tip is polled", { reason: (error as Error).message })
    }
  }

  async #rest(milliseconds: number): Promise<void> {
    if (this.#isDue || this.#isStopped) return
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      timer = globalThis.setTimeout(resolve, milliseconds)
    })
    clearTimeout(timer)
    this.#wake = () => {}
  }

  #recovered(): void {
    if (this.#problem) this.#options.log.info("the database is read again", { height: this.#chain.status.height })
    this.#problem = undefined
  }

  #failed(error: unknown): void {
    const { url, log } = this.#options
    const problem = databaseFailure(error, url) as Error
    if (this.#problem?.message !== problem.message && !this.#isStopped) {
      const code = problem instanceof Invalid ? { code: problem.code } : {}
      log.error("the database cannot be read", { database: urlWithoutPassword(url), ...code, reason: problem.message })
      if (!(problem instanceof Invalid)) this.#options.reportFault(problem, "reader of the database")
    }
    this.#problem = problem
  }
}
