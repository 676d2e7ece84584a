import type { CheckedSignatures } from "./checkedSignatures.js"

/** Threads that check the signatures of blocks before these are executed. */
export interface SignatureThreads {
  /** The number of jobs that keeps the threads busy. More of them only take memory. */
  readonly depth: number
  /** Lets a thread check some blocks. Signers in blocks up to a height are not needed, because those were executed before. */
  begin(blocks: readonly Uint8Array[], above: bigint): SignatureJob
}

/** Blocks whose signatures a thread checks. */
export interface SignatureJob {
  /** The result; `undefined` before the end, and where there is none: the thread died, or the job was taken back. */
  readonly checked: CheckedSignatures | undefined
  /** Whether nothing more can be expected. */
  readonly hasEnded: boolean
  /** Resolves at the end. */
  readonly ended: Promise<void>
  /** Takes the job back. Returns false where a thread has begun it. */
  takeBack(): boolean
}
