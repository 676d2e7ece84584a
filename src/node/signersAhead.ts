import type { Block } from "../core/blocks/block.js"
import type { Chain } from "../core/chain/chain.js"
import { rememberSigners, uncheckedSignatures } from "../sync/checkedSignatures.js"
import type { SignatureThreads } from "../sync/signatureThreads.js"

/** Lets threads recover the signers of blocks that a chain executes soon. Nothing waits for them: the chain recovers those that it does not know. */
export function recoverSignersAhead(threads: SignatureThreads, chain: Chain, blocks: readonly Block[]): void {
  const bare = blocks.map((block) => ({ block, wrapper: undefined }))
  const job = threads.begin(uncheckedSignatures(bare, chain.lastAccepted.height))
  void job.ended.then(() => job.checked && rememberSigners(chain, job.checked))
}
