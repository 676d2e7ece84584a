import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import type { CheckedSignatures, UncheckedSignatures } from "../sync/checkedSignatures.js"
import type { SignatureJob, SignatureThreads } from "../sync/signatureThreads.js"
import { type SignatureAnswer, type SignatureQuestion, TAKEN_BACK, UNCLAIMED } from "./signatureMessages.js"
import { workerProgram } from "./workerProgram.js"

/** Jobs for each thread: as many as it does while the chain writes a group of blocks. */
const JOBS_PER_THREAD = 8

/** The maximum number of threads by default. One thread executes the blocks, which takes longer than four threads need for signatures. */
const MAX_DEFAULT_THREADS = 4

/** Returns the number of threads that pay off on this machine: one for each core but that of the execution. */
export function defaultSignatureThreads(): number {
  return Math.min(MAX_DEFAULT_THREADS, availableParallelism() - 1)
}

/** Options of a pool. */
export interface SignaturePoolOptions {
  /** Number of threads; with none, the execution of blocks checks all signatures. */
  readonly count: number
  /** Called when a thread has died; the others and the execution do its work. */
  onLost?(reason: string, left: number): void
  /** The program of a thread; by default the one in the bundle. Unbundled sources have none. */
  readonly program?: string | undefined
}

interface Thread {
  readonly worker: Worker
  readonly jobs: Map<number, PoolJob>
}

/** Checks the signatures of blocks in worker threads, which start with the second job: few blocks are not worth it. */
export class SignaturePool implements SignatureThreads {
  readonly #options: SignaturePoolOptions
  readonly #threads: Thread[] = []
  #nextID = 0
  #isStopped = false

  constructor(options: SignaturePoolOptions) {
    this.#options = options
  }

  get depth(): number {
    return this.#options.count * JOBS_PER_THREAD
  }

  begin(signatures: UncheckedSignatures): SignatureJob {
    const id = this.#nextID++
    if (id === 1) this.#start()
    const thread = this.#threads[id % Math.max(1, this.#threads.length)]
    const job = new PoolJob(() => thread && this.#forget(thread, id))
    if (thread && signatures.signed.length + signatures.wrappers.length > 0)
      this.#send(thread, job, { id, signatures, claim: job.claim })
    return job
  }

  /** Ends the threads. Jobs that have not ended stay without result. */
  stop(): void {
    this.#isStopped = true
    for (const thread of this.#threads.splice(0)) this.#end(thread)
  }

  #start(): void {
    const program = this.#options.program ?? workerProgram("signatureWorker")
    if (program === undefined || this.#isStopped) return
    for (let i = 0; i < this.#options.count; i++) this.#threads.push(this.#open(program))
  }

  #open(program: string): Thread {
    const worker = new Worker(program)
    const thread: Thread = { worker, jobs: new Map() }
    worker.on("message", ({ id, ...checked }: SignatureAnswer) => {
      thread.jobs.get(id)?.end(checked)
    })
    worker.on("error", (error) => this.#lost(thread, error.message))
    worker.on("exit", (code) => this.#lost(thread, `exit code ${code}`))
    // A thread without work does not keep the process.
    worker.unref()
    return thread
  }

  #send({ worker, jobs }: Thread, job: PoolJob, question: SignatureQuestion): void {
    jobs.set(question.id, job)
    worker.ref()
    // The owner keeps its copy, because it checks the signatures itself if it takes the job back.
    worker.postMessage(question)
  }

  #forget({ worker, jobs }: Thread, id: number): void {
    jobs.delete(id)
    if (jobs.size === 0) worker.unref()
  }

  #lost(thread: Thread, reason: string): void {
    const at = this.#threads.indexOf(thread)
    if (at < 0) return
    this.#threads.splice(at, 1)
    this.#end(thread)
    this.#options.onLost?.(reason, this.#threads.length)
  }

  #end({ worker, jobs }: Thread): void {
    void worker.terminate()
    for (const job of [...jobs.values()]) job.end(undefined)
  }
}

/** A job of the pool. Who writes its claim first does it: a thread, or the owner, who takes it back. */
class PoolJob implements SignatureJob {
  readonly claim = new Int32Array(new SharedArrayBuffer(4))
  readonly ended: Promise<void>
  readonly #forget: () => void
  #resolve = () => {}
  #checked: CheckedSignatures | undefined
  #hasEnded = false

  constructor(forget: () => void) {
    this.#forget = forget
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  get checked(): CheckedSignatures | undefined {
    return this.#checked
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  takeBack(): boolean {
    if (this.#hasEnded || Atomics.compareExchange(this.claim, 0, UNCLAIMED, TAKEN_BACK) !== UNCLAIMED) return false
    this.end(undefined)
    return true
  }

  /** Ends the job, with a result or without. */
  end(checked: CheckedSignatures | undefined): void {
    this.#checked = checked
    this.#hasEnded = true
    this.#forget()
    this.#resolve()
  }
}
