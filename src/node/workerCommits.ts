import { once } from "node:events"
import { Worker } from "node:worker_threads"
import type { CommitThread } from "../store/commitThread.js"
import type { PackedRows } from "../store/packedRows.js"
import type { RootOptions } from "../store/rootOptions.js"
import type { CommitAnswer, CommitQuestion } from "./commitMessages.js"
import { workerProgram } from "./workerProgram.js"

/** Writes commits in a worker thread. Until the thread runs, and after it died, `isReady` is false and the store writes itself. */
export class WorkerCommits implements CommitThread {
  readonly #worker: Worker | undefined
  readonly #started: Promise<void>
  #isReady = false
  #settle: ((answer: CommitAnswer) => void) | undefined

  /** `program` is the program of the thread; by default the one in the bundle. Unbundled sources have none. */
  constructor(program: string | undefined = workerProgram("commitWorker")) {
    this.#worker = program === undefined ? undefined : new Worker(program)
    this.#started = this.#worker ? this.#watch(this.#worker) : Promise.resolve()
  }

  get isReady(): boolean {
    return this.#isReady
  }

  /** Resolves when the thread runs, or cannot. */
  get started(): Promise<void> {
    return this.#started
  }

  async commit(root: RootOptions, rows: readonly PackedRows[]): Promise<void> {
    const question: CommitQuestion = { root, rows }
    const answer = new Promise<CommitAnswer>((resolve) => {
      this.#settle = resolve
    })
    // The process waits for the commit.
    this.#worker?.ref()
    this.#worker?.postMessage(
      question,
      rows.map(({ values }) => values.buffer as ArrayBuffer),
    )
    const { failure } = await answer
    this.#worker?.unref()
    if (failure) throw Object.assign(new Error(failure.message), { code: failure.code })
  }

  /** Ends the thread. It has closed LMDB when this resolves. */
  async end(): Promise<void> {
    if (!this.#worker || !this.#isReady) return void (await this.#worker?.terminate())
    this.#isReady = false
    this.#worker.ref()
    this.#worker.postMessage("end" satisfies CommitQuestion)
    await once(this.#worker, "exit")
  }

  #watch(worker: Worker): Promise<void> {
    return new Promise((resolve) => {
      worker.once("message", () => {
        this.#isReady = true
        // A thread without work does not keep the process.
        worker.unref()
        worker.on("message", (answer: CommitAnswer) => this.#settle?.(answer))
        resolve()
      })
      const lost = (reason: string) => {
        this.#isReady = false
        this.#settle?.({ failure: { message: `the thread that writes has ended: ${reason}`, code: undefined } })
        resolve()
      }
      worker.on("error", (error) => lost(error.message))
      worker.on("exit", (code) => lost(`exit code ${code}`))
    })
  }
}
