import type { CheckedSignatures, UncheckedSignatures } from "./checkedSignatures.js"

/** Threads that check the signatures of blocks before these are executed. */
export interface SignatureThreads {
  /** The number of jobs that keeps the threads busy. More jobs only take memory. */
  readonly depth: number
  /** Lets a thread check the signatures of some blocks. */
  begin(signatures: UncheckedSignatures): SignatureJob
}

/** The signatures of some blocks, which a thread checks. */
export interface SignatureJob {
  /** The result; `undefined` before the end, if the thread died, and if the job was taken back. */
  readonly checked: CheckedSignatures | undefined
  /** True when the job has a result, or will never have one. */
  readonly hasEnded: boolean
  /** Resolves at the end. */
  readonly ended: Promise<void>
  /** Takes the job back. Returns false if a thread has begun it. */
  takeBack(): boolean
}
