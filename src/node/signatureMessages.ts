import type { CheckedSignatures, UncheckedSignatures } from "../sync/checkedSignatures.js"

/** Values of a claim: no thread has begun the job, a thread has begun it, or its owner took it back. */
export const UNCLAIMED = 0
export const BEGUN = 1
export const TAKEN_BACK = 2

/** A job for a thread that checks signatures. */
export interface SignatureQuestion {
  readonly id: number
  readonly signatures: UncheckedSignatures
  /** One number in shared memory, which decides whether a thread or the owner does the job. */
  readonly claim: Int32Array
}

/** The result of a job. */
export interface SignatureAnswer extends CheckedSignatures {
  readonly id: number
}
