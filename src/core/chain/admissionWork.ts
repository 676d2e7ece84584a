import { bls } from "../crypto/backends.js"
import { sha256 } from "../crypto/hash.js"
import { Invalid, valueOrInvalid } from "../lib/invalid.js"
import { type Work, wait } from "../lib/work.js"
import type { BlockContext } from "../rules/context.js"
import { type Tx, unsignedBytesOf } from "../txs/tx.js"
import { type AdmissionContext, type TxAdmission, verifyForAdmission } from "./admission.js"
import { signaturesOf } from "./signersAhead.js"

/** Number of signatures that are verified in one step, which takes some three milliseconds with the native back end. */
const SIGNATURES_A_STEP = 64

/** A proof of possession of a transaction. */
interface Proof {
  readonly publicKey: Uint8Array
  readonly proof: Uint8Array
}

/** An invalid proof: its index in the transaction, counted from 0, and the refusal. */
interface BadProof {
  readonly index: number
  readonly error: Invalid
}

/**
 * Verifies a transaction like `verifyForAdmission`, in steps and with the cheap checks first. A transaction that is refused in any case is
 * refused without verifying its proofs of possession and its many signatures. The others are counted and charged before they are verified,
 * one proof or 64 signatures per step. AvalancheGo verifies all of them first, so if several things are wrong with a transaction of two or
 * more proofs, or of more than 64 signatures, it may name another one.
 */
export function* admissionWork(tx: Tx, context: AdmissionContext): Work<TxAdmission> {
  if (signaturesOf(tx).length > SIGNATURES_A_STEP) {
    const unsigned = verifyForAdmission(tx, withBlockContext(context, { trustSignatures: true }))
    if (!unsigned.ok) return unsigned
    yield* recoverSigners(tx, context.blockContext)
  }
  const proofs: Proof[] = []
  const verifyPossession = (publicKey: Uint8Array, proof: Uint8Array) => void proofs.push({ publicKey, proof })
  const admission = verifyForAdmission(tx, withBlockContext(context, { verifyPossession }))
  if (proofs.length === 0) return admission
  // For a transaction that is refused in any case, only the first proof is verified, because AvalancheGo would name it before the rest.
  const bad = yield* firstBadProof(admission.ok ? proofs : proofs.slice(0, 1), context.blockContext)
  return bad ? verifyForAdmission(tx, withBlockContext(context, { verifyPossession: refusing(bad) })) : admission
}

function withBlockContext(context: AdmissionContext, changes: Partial<BlockContext>): AdmissionContext {
  return { ...context, blockContext: { ...context.blockContext, ...changes } }
}

/** Recovers every signer up to the first invalid signature. The block context caches them. */
function* recoverSigners(tx: Tx, { signerOf }: BlockContext): Work<void> {
  const hash = sha256(unsignedBytesOf(tx))
  const signatures = signaturesOf(tx)
  yield Math.ceil(signatures.length / SIGNATURES_A_STEP)
  for (const [i, signature] of signatures.entries()) {
    if (valueOrInvalid(() => signerOf(signature, () => hash)) instanceof Invalid) return
    if ((i + 1) % SIGNATURES_A_STEP === 0) yield
  }
}

function* firstBadProof(proofs: readonly Proof[], { verifyPossession }: BlockContext): Work<BadProof | undefined> {
  yield proofs.length
  yield* wait(bls().preparePossession())
  for (const [index, { publicKey, proof }] of proofs.entries()) {
    const verify = verifyPossession ?? bls().verifyPossession
    const error = valueOrInvalid(() => verify(publicKey, proof))
    if (error instanceof Invalid) return { index, error }
    yield
  }
  return undefined
}

/** Accepts every proof without verification except one. Execution reads them in the same order each time. */
function refusing({ index, error }: BadProof): () => void {
  let met = 0
  return () => {
    if (met++ === index) throw error
  }
}
