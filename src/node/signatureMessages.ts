import type { CheckedSignatures } from "../sync/checkedSignatures.js"

/** Values of a claim: no thread has begun the job, a thread has begun it, or its owner took it back. */
export const UNCLAIMED = 0
export const BEGUN = 1
export const TAKEN_BACK = 2

/** A job for a thread that checks signatures. */
export interface SignatureQuestion {
  readonly id: number
  /** The bytes of all blocks, one after the other, and their sizes. */
  readonly bytes: Uint8Array
  readonly sizes: Uint32Array
  /** Signers in blocks up to this height are not recovered. */
  readonly above: bigint
  /** One number in shared memory, which decides whether a thread or the owner does the job. */
  readonly claim: Int32Array
}

/** The result of a job. */
export interface SignatureAnswer extends CheckedSignatures {
  readonly id: number
}
