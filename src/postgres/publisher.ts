import { Emitter } from "../core/lib/emitter.js"
import { Invalid } from "../core/lib/invalid.js"
import type { Log } from "../core/lib/log.js"
import type { PartLimits } from "../core/sql/blockRows.js"
import { ownerCache } from "../core/sql/rowContext.js"
import type { Store } from "../store/store.js"
import { type ChainClaim, claimDatabase } from "./chainClaim.js"
import { type Database, openDatabase, urlWithoutPassword } from "./connection.js"
import { findDuePart, type PublishingChain } from "./duePart.js"
import { databaseFailure, isPermanentFailure } from "./failure.js"
import { type DuePart, readTip, type Tip, TipMovedError, tipAfter, writeTip } from "./publication.js"
import { hasOlderSchema, makeSchema, removeOlderSchema } from "./schema.js"
import { type SnapshotOptions, SnapshotWriter } from "./snapshotWriter.js"

export interface PublisherOptions extends Pick<PublishingChain, "facts" | "canRevert" | "overridesOf"> {
  readonly url: string
  readonly store: Pick<Store, "view" | "latest" | "version">
  readonly claim: ChainClaim
  readonly log: Log
  readonly limits?: PartLimits
  /** Options of snapshots for read servers; none are written by default. */
  readonly snapshots?: SnapshotOptions | undefined
  /** Called with a fault in Serac that stopped publishing. It is tried again. */
  reportFault?(error: unknown, where: string): void
}

/** The state of a publisher. */
export interface PublisherStatus {
  /** The phase. `waiting` means that another publisher holds the lock. */
  readonly phase: "connecting" | "waiting" | "publishing" | "stopped"
  /** The height of the last published block, if this publisher knows it. */
  readonly height: bigint | undefined
  /** The reason why nothing is published at the moment. */
  readonly problem: Error | undefined
}

/** The key of the lock that the only publisher of a database holds. */
const PUBLISHER_LOCK = 7_311_941_001n

/** Milliseconds between two attempts to get the lock, and between two checks of the store. */
const LOCK_EVERY = 100
const POLL_MILLISECONDS = 1000
/** Milliseconds before the first new attempt after a failure, and the maximum. */
const FIRST_RETRY = 250
const LAST_RETRY = 10_000

/** Limits that let a node answer calls in between. */
const LIMITS: PartLimits = { blocks: 200, size: 2 << 20 }

/**
 * Publishes the blocks of a store to a PostgreSQL database. It reads every block from the store when it is due, so that nothing accumulates
 * in memory while the server is not reachable. A failure is reported in the status and the log, and the work begins again after a pause.
 */
export class Publisher {
  readonly #options: PublisherOptions
  #status: PublisherStatus = { phase: "connecting", height: undefined, problem: undefined }
  readonly #owners = ownerCache()
  #isStopped = false
  #isDue = false
  #endPause: () => void = () => {}
  /** True if a change of the store ends the pause. */
  #wakes = false
  #running: Promise<void> | undefined
  readonly #changed = new Emitter<void>()
  readonly #snapshots: SnapshotWriter | undefined

  constructor(options: PublisherOptions) {
    this.#options = options
    this.#snapshots = options.snapshots && new SnapshotWriter({ ...options, ...options.snapshots })
  }

  get status(): PublisherStatus {
    return this.#status
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** Called when the store has changed. */
  wake(): void {
    this.#isDue = true
    if (this.#wakes) this.#endPause()
  }

  /** Stops after the current transaction. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#endPause()
    await this.#running
    await this.#snapshots?.stop()
    this.#set({ phase: "stopped" })
  }

  /** Calls the listener after every change of the status. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#changed.listen(listener)
  }

  async #run(): Promise<void> {
    let pause = FIRST_RETRY
    while (!this.#isStopped) {
      const before = this.#status.height
      try {
        await this.#session()
      } catch (error) {
        if (!(error instanceof TipMovedError)) this.#fail(databaseFailure(error, this.#options.url) as Error)
      }
      if (this.#isStopped) return
      pause = this.#status.height === before ? Math.min(pause * 2, LAST_RETRY) : FIRST_RETRY
      await this.#pause(isPermanentFailure(this.#status.problem) ? LAST_RETRY : pause)
    }
  }

  /** Connects, waits for the lock, and publishes until it is stopped. */
  async #session(): Promise<void> {
    const { url, claim, log } = this.#options
    let isClosed = false
    const onClose = () => {
      isClosed = true
      if (this.#wakes) this.#endPause()
    }
    const database = await openDatabase(url, { max: 1, name: "serac publish", onClose })
    try {
      if (claim.replaces && (await hasOlderSchema(database, () => isClosed))) {
        if (!(await this.#lock(database))) return
        const version = await removeOlderSchema(database, () => isClosed)
        log.warn("the tables of an older version were removed from the database (--replace)", { version: version ?? null })
      }
      await makeSchema(database, () => isClosed)
      await claimDatabase(database, claim, { isPublisher: false, isClosed: () => isClosed })
      if (!(await this.#lock(database))) return
      const removed = await claimDatabase(database, claim, { isPublisher: true, isClosed: () => isClosed })
      const server = urlWithoutPassword(url)
      if (removed) log.warn("another chain was removed from the database (--replace)", { database: server, ...removed })
      const tip = await readTip(database)
      const { kind, identity } = claim.row
      log.info("publishing", { database: server, kind, identity, height: tip?.height ?? null })
      this.#set({ phase: "publishing", height: tip?.height, problem: undefined })
      await this.#publish(database, tip, () => isClosed)
    } finally {
      await database.end({ timeout: 1 }).catch(() => {})
    }
  }

  /** Waits until this publisher is the only one. Returns false if it was stopped before. */
  async #lock(database: Database): Promise<boolean> {
    while (!this.#isStopped) {
      const [row] = await database<{ held: boolean }[]>`select pg_try_advisory_lock(${PUBLISHER_LOCK}::bigint) as held`
      if (row?.held) return true
      const { log, url } = this.#options
      if (this.status.phase !== "waiting")
        log.info("waiting, because another publisher writes to the database", { database: urlWithoutPassword(url) })
      this.#set({ phase: "waiting", problem: undefined })
      await this.#pause(LOCK_EVERY)
    }
    return false
  }

  async #publish(database: Database, start: Tip | undefined, isClosed: () => boolean): Promise<void> {
    const { texts } = this.#options.facts
    let tip = start
    let due = await this.#duePart(database, tip)
    while (!this.#isStopped) {
      // The lock ends with the connection.
      if (isClosed()) throw new TipMovedError()
      if (!due) {
        if (tip) this.#snapshots?.published(tip.height)
        await this.#rest(POLL_MILLISECONDS)
        due = await this.#duePart(database, tip)
        continue
      }
      const change = { before: tip, ...due, texts }
      tip = tipAfter(change)
      const written = writeTip(database, change, isClosed)
      // The rows of the next part are made while the server writes those of this one.
      ;[due] = await Promise.all([this.#duePart(database, tip), written])
      this.#set({ phase: "publishing", height: tip.height, problem: undefined })
    }
  }

  async #duePart(database: Database, tip: Tip | undefined): Promise<DuePart | undefined> {
    const { store, limits = LIMITS } = this.#options
    this.#isDue = false
    const view = store.view()
    try {
      return await findDuePart(database, view, tip, { ...this.#options, limits, owners: this.#owners })
    } finally {
      view.release()
    }
  }

  /** Waits for a time, a change of the store, or the stop. */
  async #rest(milliseconds: number): Promise<void> {
    if (this.#isDue) return
    this.#wakes = true
    await this.#pause(milliseconds)
    this.#wakes = false
  }

  /** Waits for a time or the stop. */
  async #pause(milliseconds: number): Promise<void> {
    if (this.#isStopped) return
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#endPause = resolve
      timer = setTimeout(resolve, milliseconds)
    })
    clearTimeout(timer)
    this.#endPause = () => {}
  }

  #fail(problem: Error): void {
    const { url, log } = this.#options
    if (this.#status.problem?.message !== problem.message) {
      const code = problem instanceof Invalid ? { code: problem.code } : {}
      log.error("publishing failed", { database: urlWithoutPassword(url), ...code, reason: problem.message })
      if (!(problem instanceof Invalid)) this.#options.reportFault?.(problem, "publisher")
    }
    this.#set({ phase: "connecting", problem })
  }

  #set(change: Partial<PublisherStatus>): void {
    this.#status = { ...this.#status, ...change }
    this.#changed.emit()
  }
}
