import { setTimeout } from "node:timers/promises"
import { Invalid } from "../../core/lib/invalid.js"
import type { Log } from "../../core/lib/log.js"
import { type Database, urlWithoutPassword } from "../connection.js"
import { databaseFailure } from "../failure.js"
import { TIP_CHANNEL } from "../publication.js"

/** Milliseconds between two checks of the tip: if the server notifies, and if it does not, as a replica. */
const [NOTIFIED_POLL_MILLISECONDS, POLL_MILLISECONDS] = [1000, 50]

/** Milliseconds until the next attempt after a failure. */
const RETRY = 500

/** The chain that follows a database. */
export interface TipChain {
  /** Restores the newest snapshot that is later than the state. */
  restore(): Promise<void>
  /** Executes all blocks up to the tip. Throws `postgres.replaced` if the database has another chain. */
  catchUp(): Promise<void>
  readonly status: { readonly height: bigint }
}

export interface TipFollowerOptions {
  readonly url: string
  readonly log: Log
  /** Called with the reason if the database has another chain now. */
  onFault(error: unknown): void
  /** Called with a fault in Serac, after which it tries again. */
  reportFault(error: unknown, where: string): void
}

/** Follows the tip of a database by notifications, and by checking at intervals. */
export class TipFollower {
  readonly #chain: TipChain
  readonly #database: Database
  readonly #options: TipFollowerOptions
  #problem: Error | undefined
  #isStopped = false
  #isNotified = false
  #isDue = false
  #wake: () => void = () => {}
  #running: Promise<void> | undefined

  constructor(chain: TipChain, database: Database, options: TipFollowerOptions) {
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
