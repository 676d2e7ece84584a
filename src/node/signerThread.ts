import { Worker } from "node:worker_threads"
import type { SignedHash } from "../core/chain/signedHashes.js"
import { PUBLIC_KEY_SIZE, SIGNED_HASH_SIZE, SIGNED_SIZE } from "./recoverWorker.js"
import { workerProgram } from "./workerProgram.js"

/**
 * Recovers signers in a thread of its own, so that they are known when blocks are executed. Nothing waits for it: the execution itself
 * recovers signers that are not known yet.
 */
export class SignerThread {
  readonly #remember: (signed: SignedHash, publicKey: Uint8Array) => void
  #worker: Worker | undefined

  constructor(remember: (signed: SignedHash, publicKey: Uint8Array) => void) {
    this.#remember = remember
  }

  /** Starts to recover the signers of these hashes. */
  recover(signed: readonly SignedHash[]): void {
    if (signed.length === 0) return
    this.#worker ??= this.#start()
    if (!this.#worker) return
    const packed = new Uint8Array(signed.length * SIGNED_SIZE)
    for (const [i, { hash, signature }] of signed.entries()) {
      packed.set(hash, i * SIGNED_SIZE)
      packed.set(signature, i * SIGNED_SIZE + SIGNED_HASH_SIZE)
    }
    this.#worker.postMessage(packed, [packed.buffer])
  }

  /** Ends the thread. It starts again when it is needed. */
  stop(): void {
    void this.#worker?.terminate()
    this.#worker = undefined
  }

  /** Sources that were not bundled have no program for a thread. */
  #start(): Worker | undefined {
    const program = workerProgram("recoverWorker")
    if (program === undefined) return undefined
    const worker = new Worker(program)
    worker.on("message", ({ signed, keys }: { readonly signed: Uint8Array; readonly keys: Uint8Array }) => {
      for (let i = 0; i * SIGNED_SIZE < signed.length; i++)
        this.#found(signed.subarray(i * SIGNED_SIZE), keys.subarray(i * PUBLIC_KEY_SIZE))
    })
    // Without the thread, the execution recovers all signers itself.
    worker.on("error", () => this.stop())
    worker.unref()
    return worker
  }

  #found(signed: Uint8Array, keys: Uint8Array): void {
    const isNone = keys[0] === 0
    if (isNone) return
    const [hash, signature] = [signed.subarray(0, SIGNED_HASH_SIZE), signed.subarray(SIGNED_HASH_SIZE, SIGNED_SIZE)]
    this.#remember({ hash, signature }, keys.slice(0, PUBLIC_KEY_SIZE))
  }
}
