import { requireOuterBlock } from "../../core/consensus/proposer/wrapperStore.js"
import { isActive } from "../../core/networks/upgrades.js"
import { blockTime } from "../../core/readmodel/blockTimes.js"
import { heightOf } from "../../core/state/tables.js"
import { nodeError } from "../../datadir/errors.js"
import { loadPublishedGenesis } from "../../datadir/genesis/publishedGenesis.js"
import { newNetworkChain } from "../../datadir/newChain.js"
import type { RequestedChain } from "../../datadir/requestedChain.js"
import type { StoredChain } from "../../datadir/storedChain.js"
import { type Node, startNode } from "../../node/node.js"
import type { NodeChain, NodeHooks } from "../../node/nodeChain.js"
import type { NodeOptions } from "../../node/options.js"
import type { LiveChain } from "../../services/context.js"
import type { Store } from "../../store/store.js"
import { openChain, openNodeStore } from "../openChain.js"
import type { JoinedChain } from "./joinedChain.js"
import { joinedChecks } from "./joinedChecks.js"
import { registerJoinedMetrics } from "./joinedMetrics.js"
import type { JoinOptions } from "./joinOptions.js"

export interface JoinedNodeOptions extends NodeOptions {
  readonly choice: RequestedChain
  readonly join: JoinOptions
}

/** Joins a network, with data in memory or on the disk. */
export async function startJoinedNode(options: JoinedNodeOptions): Promise<Node> {
  return startNode(await openNodeStore(options.dataDir, options), options, joinedNodeChain)
}

/** Opens the chain of a network in a store, or makes a new one. */
export async function joinedNodeChain(store: Store, options: JoinedNodeOptions & NodeHooks): Promise<NodeChain> {
  const { choice: request, join, log, wall, reportFault, stateChanged } = options
  const published = await loadPublishedGenesis(request.networkID)
  const make = () => newNetworkChain(request, published)
  const { data, identity, proofs } = openChain(store, options, { kind: "joined", request, make })
  requireWrappers(store, data, options)
  // The node itself is not one of those that it starts from.
  const bootstrappers = join.bootstrappers.filter(({ nodeID }) => nodeID !== identity.nodeID)
  // The peer protocol is loaded on use, because it takes a tenth of a second.
  const { JoinedChain } = await import("./joinedChain.js")
  const chainOptions = { ...join, bootstrappers, store, data, identity, log, wall, reportFault, stateChanged }
  const joined = new JoinedChain(chainOptions)
  const { status } = joined
  const { servesWhileSyncing } = join
  return {
    data,
    identity,
    proofs,
    live: liveOf(joined),
    peerAddress: () => status.ipText,
    isReady: () => servesWhileSyncing || status.isBootstrapped,
    // While a chain catches up, listeners are not called for its blocks.
    version: servesWhileSyncing ? () => store.version() : undefined,
    checks: joinedChecks(status, chainOptions),
    registerMetrics: (metrics) => registerJoinedMetrics(metrics, joined),
    start: () => joined.start(),
    stop: () => joined.stop(),
  }
}

/**
 * Checks that the blocks of a store have their wrappers, by which other nodes know them. A copy that was made without wrappers has none at its
 * end. Throws `node.no_wrappers`.
 */
function requireWrappers({ latest }: Store, { rules }: StoredChain, { dataDir }: NodeOptions): void {
  const height = heightOf(latest)
  if (height === 0n || requireOuterBlock(latest, height).wrapper) return
  // Bare are the block with which wrappers begin, and its option.
  const before = height > 2n ? height - 2n : 0n
  if (isActive(rules.upgrades, "apricotPhase4", blockTime(latest, before)))
    throw nodeError("node.no_wrappers", { dataDir, height })
}

function liveOf({ status, mempool }: JoinedChain): LiveChain {
  return {
    now: () => status.now(),
    uptimeOf: (nodeID) => status.uptimeOf(nodeID),
    measuresUptimes: true,
    peers: () => status.connectedPeers(),
    isBootstrapped: () => status.isBootstrapped,
    proposedHeight: () => status.proposedHeight(),
    currentEpoch: () => status.currentEpoch(),
    undecidedBlock: (id) => status.outer.chain.undecidedBlock(id),
    preferredState: () => status.preferredState(),
    txStatus: (txID) => mempool.statusOf(txID),
    mempoolSize: () => mempool.pool.size,
    async issueTx(tx, pace) {
      if (tx.unsignedTx.kind === "ImportTx") throw nodeError("node.no_shared_memory")
      await mempool.issue(tx, pace)
    },
  }
}
