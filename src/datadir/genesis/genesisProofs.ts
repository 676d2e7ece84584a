import { availableParallelism } from "node:os"
import { setImmediate } from "node:timers/promises"
import type { Genesis } from "../../core/genesis/genesis.js"
import { type GenesisProof, proofsOf, verifyProofs } from "../../core/genesis/proofs.js"
import type { Log } from "../../core/lib/log.js"
import { bls } from "../../platform/backends.js"
import type { Store } from "../../store/store.js"
import { Thread, workerProgram } from "../../workers/thread.js"
import { nodeError } from "../errors.js"

/** The minimum number of proofs per thread. Loading the back end takes as long as verifying some fifteen proofs. */
const PROOFS_PER_THREAD = 16

export interface GenesisProofsOptions {
  /** Stores the result. */
  readonly store: Store
  readonly genesis: Genesis
  /** Other work that the chain needs before its first block. It is done in parts after the proofs, because the threads use all cores. */
  readonly afterwards?: Iterable<unknown>
  readonly log: Log
}

/** Verifies the proofs of possession of a genesis in worker threads, and records in the store that they are valid. */
export class GenesisProofs {
  /** Resolves when all proofs are valid and the other work is done. Rejects with `genesis.bad_proof`, which names a validator, or when the check was stopped. */
  readonly verdict: Promise<void>
  readonly #options: GenesisProofsOptions
  readonly #threads: Thread<readonly GenesisProof[], void>[] = []
  #decide: (refusal?: unknown) => void = () => {}
  #isStopped = false

  constructor(options: GenesisProofsOptions) {
    this.#options = options
    this.verdict = new Promise((resolve, reject) => {
      this.#decide = (refusal) => (refusal === undefined ? resolve() : reject(refusal))
    })
    // Callers that need the result await it.
    this.verdict.catch(() => {})
  }

  /** Starts the verification. */
  start(): void {
    this.#verify().then(
      () => this.#decide(),
      (error) => this.#decide(error),
    )
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Stops the verification, because a stopping node need not wait for the result. */
  stop(): void {
    this.#isStopped = true
    this.#decide(nodeError("node.stopped"))
    for (const thread of this.#threads) thread.end()
  }

  async #verify(): Promise<void> {
    const { store, genesis, log } = this.#options
    const proofs = proofsOf(genesis)
    const started = performance.now()
    try {
      await Promise.all(shares(proofs).map((share) => this.#verifyShare(share)))
    } finally {
      // One invalid proof decides the result.
      for (const thread of this.#threads) thread.end()
    }
    const milliseconds = Math.round(performance.now() - started)
    log.info("the proofs of possession of the genesis hold", { proofs: proofs.length, milliseconds })
    await this.#doAfterwards()
    while (store.busy) await store.busy
    // A node that was stopped closes its store.
    if (this.#isStopped) return
    store.putMeta({ provenGenesis: genesis.id, unprovenGenesis: undefined })
  }

  async #doAfterwards(): Promise<void> {
    const parts = (this.#options.afterwards ?? [])[Symbol.iterator]()
    while (!this.#isStopped && !parts.next().done) await setImmediate()
  }

  #verifyShare(share: readonly GenesisProof[]): Promise<void> {
    const program = workerProgram("proofWorker")
    // Sources that were not bundled have no program for a thread.
    if (program === undefined) return verifyProofs(share, bls())
    const thread = new Thread<readonly GenesisProof[], void>(program)
    this.#threads.push(thread)
    return thread.request(share)
  }
}

/** Divides proofs among threads: one for each core, as far as there is work for it. */
function shares(proofs: readonly GenesisProof[]): readonly (readonly GenesisProof[])[] {
  const count = Math.max(1, Math.min(availableParallelism(), Math.ceil(proofs.length / PROOFS_PER_THREAD)))
  return Array.from({ length: count }, (_, thread) => proofs.filter((_proof, i) => i % count === thread))
}
