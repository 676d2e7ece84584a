import { availableParallelism } from "node:os"
import type { SignedHash, SignerThreads } from "../core/chain/signersAhead.js"
import { Thread, workerProgram } from "./thread.js"

/** A hash, and a signature of it. */
export type SignedPair = Pick<SignedHash, "hash" | "signature">

/** The signers of hashes in their order; `undefined` for an invalid signature. */
export type RecoveredSigners = readonly (string | undefined)[]

/** Calls for each thread, so that none waits while the chain writes a group of blocks. */
const CALLS_PER_THREAD = 8

/** The maximum number of threads by default. One thread executes the blocks, which takes longer than four threads need for signatures. */
const MAX_DEFAULT_THREADS = 4

/** Returns the number of threads that pay off on this machine: one for each core but that of the execution. */
export function defaultSignatureThreads(): number {
  return Math.min(MAX_DEFAULT_THREADS, availableParallelism() - 1)
}

export interface SignaturePoolOptions {
  /** Number of threads; with none, the execution of blocks recovers all signers. */
  readonly count: number
  /** Called when a thread has died; the others and the execution do its work. */
  onLost?(reason: string, left: number): void
  /** The program of a thread; by default the one in the bundle. Unbundled sources have none. */
  readonly program?: string | undefined
}

type SignatureThread = Thread<readonly SignedPair[], RecoveredSigners>

/** Recovers signers in worker threads, which start with the second call: few blocks are not worth it. */
export class SignaturePool implements SignerThreads {
  readonly #options: SignaturePoolOptions
  readonly #threads: SignatureThread[] = []
  #calls = 0
  #isStopped = false

  constructor(options: SignaturePoolOptions) {
    this.#options = options
  }

  get depth(): number {
    return this.#options.count * CALLS_PER_THREAD
  }

  async recover(signed: readonly SignedHash[]): Promise<RecoveredSigners> {
    const id = this.#calls++
    if (id === 1) this.#start()
    const thread = this.#threads[id % Math.max(1, this.#threads.length)]
    if (!thread) return []
    // A message has the whole buffer behind each of its arrays, here that of a block.
    const pairs = signed.map(({ hash, signature }) => ({ hash: new Uint8Array(hash), signature: new Uint8Array(signature) }))
    try {
      return await thread.request(pairs)
    } catch (error) {
      this.#lost(thread, (error as Error).message)
      return []
    }
  }

  /** Ends the threads. Calls that are not answered get no signers. */
  stop(): void {
    this.#isStopped = true
    for (const thread of this.#threads.splice(0)) thread.end()
  }

  #start(): void {
    const program = this.#options.program ?? workerProgram("signatureWorker")
    if (program === undefined || this.#isStopped) return
    for (let i = 0; i < this.#options.count; i++) this.#threads.push(new Thread(program))
  }

  #lost(thread: SignatureThread, reason: string): void {
    const at = this.#threads.indexOf(thread)
    if (at < 0) return
    this.#threads.splice(at, 1)
    thread.end()
    this.#options.onLost?.(reason, this.#threads.length)
  }
}
