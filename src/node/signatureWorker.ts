import { parentPort } from "node:worker_threads"
import { certificateCache } from "../core/crypto/certificateCache.js"
import { checkSignatures } from "../sync/checkedSignatures.js"
import { BEGUN, type SignatureAnswer, type SignatureQuestion, UNCLAIMED } from "./signatureMessages.js"

// The program of a thread that checks the signatures of blocks.
const parseCertificate = certificateCache()

parentPort?.on("message", ({ id, signatures, claim }: SignatureQuestion) => {
  if (Atomics.compareExchange(claim, 0, UNCLAIMED, BEGUN) !== UNCLAIMED) return
  const checked = checkSignatures(signatures, parseCertificate)
  const answer: SignatureAnswer = { id, ...checked }
  parentPort?.postMessage(answer, [checked.signers.buffer as ArrayBuffer, checked.wrappers.buffer as ArrayBuffer])
})
