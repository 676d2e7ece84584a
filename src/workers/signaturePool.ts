import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import type { SignedHash, SignerThreads } from "../core/chain/signersAhead.js"
import { workerProgram } from "./workerProgram.js"

/** Sizes of a hash, and of a hash with its signature, bytes. */
export const HASH_BYTES = 32
export const SIGNED_BYTES = HASH_BYTES + 65

/** A question to a thread: hashes and signatures, one after the other. */
export interface RecoverQuestion {
  readonly id: number
  readonly signed: Uint8Array
}

/** The signers in the same order; `undefined` for an invalid signature. */
export interface RecoverAnswer {
  readonly id: number
  readonly addresses: readonly (string | undefined)[]
}

/** Calls for each thread, so that none waits while the chain writes a group of blocks. */
const CALLS_PER_THREAD = 8

/** The maximum number of threads by default. One thread executes the blocks, which takes longer than four threads need for signatures. */
const MAX_DEFAULT_THREADS = 4

/** Returns the number of threads that pay off on this machine: one for each core but that of the execution. */
export function defaultSignatureThreads(): number {
  return Math.min(MAX_DEFAULT_THREADS, availableParallelism() - 1)
}

/** Options of a pool. */
export interface SignaturePoolOptions {
  /** Number of threads; with none, the execution of blocks recovers all signers. */
  readonly count: number
  /** Called when a thread has died; the others and the execution do its work. */
  onLost?(reason: string, left: number): void
  /** The program of a thread; by default the one in the bundle. Unbundled sources have none. */
  readonly program?: string | undefined
}

interface Thread {
  readonly worker: Worker
  /** The calls that are not answered, by their IDs. */
  readonly calls: Map<number, (addresses: RecoverAnswer["addresses"]) => void>
}

/** Recovers signers in worker threads, which start with the second call: few blocks are not worth it. */
export class SignaturePool implements SignerThreads {
  readonly #options: SignaturePoolOptions
  readonly #threads: Thread[] = []
  #calls = 0
  #isStopped = false

  constructor(options: SignaturePoolOptions) {
    this.#options = options
  }

  get depth(): number {
    return this.#options.count * CALLS_PER_THREAD
  }

  recover(signed: readonly SignedHash[]): Promise<readonly (string | undefined)[]> {
    const id = this.#calls++
    if (id === 1) this.#start()
    const thread = this.#threads[id % Math.max(1, this.#threads.length)]
    if (!thread) return Promise.resolve([])
    const bytes = new Uint8Array(signed.length * SIGNED_BYTES)
    for (const [i, { hash, signature }] of signed.entries()) {
      bytes.set(hash, i * SIGNED_BYTES)
      bytes.set(signature, i * SIGNED_BYTES + HASH_BYTES)
    }
    return new Promise((resolve) => {
      thread.calls.set(id, resolve)
      thread.worker.ref()
      thread.worker.postMessage({ id, signed: bytes } satisfies RecoverQuestion, [bytes.buffer])
    })
  }

  /** Ends the threads. Calls that are not answered get no signers. */
  stop(): void {
    this.#isStopped = true
    for (const thread of this.#threads.splice(0)) end(thread)
  }

  #start(): void {
    const program = this.#options.program ?? workerProgram("signatureWorker")
    if (program === undefined || this.#isStopped) return
    for (let i = 0; i < this.#options.count; i++) this.#threads.push(this.#open(program))
  }

  #open(program: string): Thread {
    const worker = new Worker(program)
    const thread: Thread = { worker, calls: new Map() }
    worker.on("message", ({ id, addresses }: RecoverAnswer) => {
      thread.calls.get(id)?.(addresses)
      thread.calls.delete(id)
      // A thread without work does not keep the process.
      if (thread.calls.size === 0) worker.unref()
    })
    worker.on("error", (error) => this.#lost(thread, error.message))
    worker.on("exit", (code) => this.#lost(thread, `exit code ${code}`))
    worker.unref()
    return thread
  }

  #lost(thread: Thread, reason: string): void {
    const at = this.#threads.indexOf(thread)
    if (at < 0) return
    this.#threads.splice(at, 1)
    end(thread)
    this.#options.onLost?.(reason, this.#threads.length)
  }
}

function end({ worker, calls }: Thread): void {
  void worker.terminate()
  for (const resolve of calls.values()) resolve([])
}
