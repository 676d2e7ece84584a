import type { Block } from "../../core/blocks/block.js"
import type { Chain } from "../../core/chain/chain.js"
import { sha256 } from "../../core/crypto/hash.js"
import { knownSigners, signedIn, uncheckedSignatures } from "../../sync/checkedSignatures.js"
import type { SignatureThreads } from "../../sync/signatureThreads.js"

/** Lets threads recover the signers of blocks that a chain executes soon. Nothing waits for them: the chain recovers those that it does not know. */
export function recoverSignersAhead(threads: SignatureThreads, chain: Chain, blocks: readonly Block[]): void {
  const bare = blocks.map((block) => ({ block, wrapper: undefined }))
  const txs = signedIn(bare, chain.lastAccepted.height)
  const job = threads.begin(uncheckedSignatures(txs, bare))
  void job.ended.then(() => {
    const known = job.checked && knownSigners(txs, job.checked)
    if (!known) return
    for (const { unsigned, signatures } of txs) {
      const hash = sha256(unsigned)
      for (const signature of signatures) {
        const address = known.get(signature)
        if (address !== undefined) chain.rememberSigner({ hash, signature }, address)
      }
    }
  })
}
