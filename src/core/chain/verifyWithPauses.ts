import type { PossessionProof } from "../crypto/bls.js"
import { sha256 } from "../crypto/hash.js"
import { Invalid, valueOrInvalid } from "../lib/invalid.js"
import type { ChargedPace } from "../lib/pace.js"
import type { BlockContext } from "../rules/context.js"
import { type Tx, unsignedBytesOf } from "../txs/tx.js"
import { type AdmissionContext, type TxAdmission, verifyForAdmission } from "./admission.js"
import { signaturesOf } from "./signersAhead.js"

/** Number of signatures that are verified in one piece, which takes some three milliseconds with the native back end. */
const SIGNATURES_AT_ONCE = 64

/** An invalid proof: its index in the transaction, counted from 0, and the refusal. */
interface BadProof {
  readonly index: number
  readonly error: Invalid
}

/**
 * Verifies a transaction like `verifyForAdmission`, with the cheap checks first, and with pauses. A transaction that is refused in any case is
 * refused without verifying its proofs of possession and its many signatures. The others are counted and charged before they are verified.
 * AvalancheGo verifies all of them first, so if several things are wrong with a transaction of two or more proofs, or of more than 64
 * signatures, it may name another one. The chain may change during a pause, so `contextNow` returns its present state.
 */
export async function verifyWithPauses(tx: Tx, contextNow: () => AdmissionContext, pace: ChargedPace): Promise<TxAdmission> {
  if (signaturesOf(tx).length > SIGNATURES_AT_ONCE) {
    const unsigned = verifyForAdmission(tx, withBlockContext(contextNow(), { trustSignatures: true }))
    if (!unsigned.ok) return unsigned
    await recoverSigners(tx, contextNow().blockContext, pace)
  }
  const proofs: PossessionProof[] = []
  const collect = (publicKey: Uint8Array, proofOfPossession: Uint8Array) => void proofs.push({ publicKey, proofOfPossession })
  const admission = verifyForAdmission(tx, withBlockContext(contextNow(), { verifyPossession: collect }))
  if (proofs.length === 0) return admission
  // For a transaction that is refused in any case, only the first proof is verified, because AvalancheGo would name it before the rest.
  const bad = await firstBadProof(admission.ok ? proofs : proofs.slice(0, 1), contextNow().blockContext, pace)
  return verifyForAdmission(tx, withBlockContext(contextNow(), { verifyPossession: refusing(bad) }))
}

function withBlockContext(context: AdmissionContext, changes: Partial<BlockContext>): AdmissionContext {
  return { ...context, blockContext: { ...context.blockContext, ...changes } }
}

/** Recovers every signer up to the first invalid signature. The block context caches them. */
async function recoverSigners(tx: Tx, { signerOf }: BlockContext, pace: ChargedPace): Promise<void> {
  const hash = sha256(unsignedBytesOf(tx))
  const signatures = signaturesOf(tx)
  pace.charge(Math.ceil(signatures.length / SIGNATURES_AT_ONCE))
  for (const [i, signature] of signatures.entries()) {
    if (valueOrInvalid(() => signerOf(tx.id, signature, () => hash)) instanceof Invalid) return
    if ((i + 1) % SIGNATURES_AT_ONCE === 0 && pace.isDue) await pace.pause()
  }
}

async function firstBadProof(
  proofs: readonly PossessionProof[],
  { verifyPossession, crypto: { bls } }: BlockContext,
  pace: ChargedPace,
): Promise<BadProof | undefined> {
  pace.charge(proofs.length)
  await pace.wait(bls.preparePossession())
  for (const [index, { publicKey, proofOfPossession }] of proofs.entries()) {
    const verify = verifyPossession ?? bls.verifyPossession
    const error = valueOrInvalid(() => verify(publicKey, proofOfPossession))
    if (error instanceof Invalid) return { index, error }
    if (pace.isDue) await pace.pause()
  }
  return undefined
}

/** Accepts every proof without verification except a bad one. Execution reads them in the same order each time. */
function refusing(bad: BadProof | undefined): () => void {
  let met = 0
  return () => {
    if (met++ === bad?.index) throw bad.error
  }
}
