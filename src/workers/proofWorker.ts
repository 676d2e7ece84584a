import { parentPort, workerData } from "node:worker_threads"
import { type GenesisProof, verifyProof } from "../core/genesis/proofs.js"
import { Invalid, type RefusalData } from "../core/lib/invalid.js"
import { bls } from "../platform/backends.js"

/** The message of a thread that has verified its proofs: the first refusal, if there is one. */
export interface ProofVerdict {
  readonly refusal?: { readonly code: string; readonly sentence: string; readonly data: RefusalData }
}

/** Verifies proofs of possession, and returns the first refusal. */
export async function verifyProofs(proofs: readonly GenesisProof[]): Promise<ProofVerdict> {
  await bls().preparePossession()
  try {
    for (const proof of proofs) verifyProof(proof, bls())
    return {}
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return { refusal: { code: error.code, sentence: error.sentence, data: error.data } }
  }
}

if (parentPort) void verifyProofs(workerData as readonly GenesisProof[]).then((verdict) => parentPort?.postMessage(verdict))
