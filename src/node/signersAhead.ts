import type { Block } from "../core/blocks/block.js"
import type { Chain } from "../core/chain/chain.js"
import { signedHashesOf } from "../core/chain/signedHashes.js"
import { SignerThread } from "./signerThread.js"

/** Recovers the signers of blocks in a thread of its own before a chain executes them. */
export function signersAhead(chain: Chain): { recover(blocks: readonly Block[]): void; stop(): void } {
  const thread = new SignerThread((signed, publicKey) => chain.rememberSigner(signed, publicKey))
  return {
    recover(blocks) {
      const { height } = chain.lastAccepted
      thread.recover(blocks.filter((block) => block.height > height).flatMap(signedHashesOf))
    },
    stop: () => thread.stop(),
  }
}
