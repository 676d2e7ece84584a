import { childTimestamp } from "../core/consensus/proposer/wrapperRules.js"
import { outerParentOf, requireOuterBlock } from "../core/consensus/proposer/wrapperStore.js"
import { chainTimeOf } from "../core/rules/context.js"
import { newEpoch } from "../core/rules/epoch.js"
import { heightOf } from "../core/state/tables.js"
import { nodeError } from "../datadir/errors.js"
import { removedBlocksIn } from "../datadir/removedBlocks.js"
import type { StoredChain } from "../datadir/storedChain.js"
import { isMadeByOneNode } from "../datadir/storedIdentity.js"
import type { LiveChain } from "../services/context.js"
import type { Store } from "../store/store.js"

/** Makes the port of a chain whose blocks others make. Its clock stays at the time of its last block. `mayCome` is omitted where every block may. */
export function readOnlyLive(store: Store, { rules }: StoredChain, mayCome: LiveChain["mayCome"] = () => true): LiveChain {
  const last = () => heightOf(store.latest)
  const now = () => chainTimeOf(store.latest)
  return {
    now,
    uptimeOf: () => undefined,
    proposedHeight: last,
    currentEpoch() {
      const parent = outerParentOf(requireOuterBlock(store.latest, last()), store.latest)
      const epoch = newEpoch(rules.upgrades, parent, childTimestamp(parent, now()))
      // The wrappers of a private chain do not tell whether it was started with --warp-lag; by default it uses its last height.
      return isMadeByOneNode(store) ? { ...epoch, pChainHeight: last() } : epoch
    },
    txStatus: () => undefined,
    removedBlocks: removedBlocksIn(store),
    mempoolSize: () => 0,
    mayCome,
    async issueTx() {
      throw nodeError("node.read_only")
    },
  }
}
