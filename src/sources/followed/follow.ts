import { existsSync } from "node:fs"
import type { Json } from "../../core/lib/json.js"
import { isProduction, LOCAL_ID } from "../../core/networks/names.js"
import { tables } from "../../core/state/tables.js"
import { loadPublishedGenesis } from "../../datadir/genesis/publishedGenesis.js"
import { newCopy } from "../../datadir/newChain.js"
import { openStore } from "../../datadir/openStore.js"
import { chainDir, defaultDataDir, requireNoFork } from "../../datadir/places.js"
import type { RequestedChain, RequestedCopy } from "../../datadir/requestedChain.js"
import { newDirectoryRemover } from "../../files/newDirectoryRemover.js"
import { reportPChainOnly } from "../../hosting/chainRecord.js"
import type { Registry } from "../../jsonrpc/metrics/registry.js"
import { type Node, startNode } from "../../node/node.js"
import type { NodeChain, NodeHooks } from "../../node/nodeChain.js"
import type { NodeOptions } from "../../node/options.js"
import type { Store } from "../../store/store.js"
import { syncError } from "../../sync/errors.js"
import { graceOf } from "../../sync/follow/httpNode.js"
import { openSource } from "../../sync/follow/openSource.js"
import { needsOperator } from "../../sync/follow/problems.js"
import { settledSoon } from "../../sync/follow/settledSoon.js"
import { openChain } from "../openChain.js"
import { readOnlyLive } from "../readOnlyLive.js"
import type { FollowedChain, FollowOptions } from "./followedChain.js"

export interface FollowerNodeOptions extends NodeOptions {
  readonly choice: RequestedChain
  readonly follow: FollowOptions
}

/**
 * Maintains a verified copy of a chain from the APIs of other nodes, and serves it. A new copy reads the network from these nodes. Throws
 * `sync.no_answer` if none answers, and `sync.other_network` if they belong to another network than the requested one.
 */
export async function startFollowing(options: FollowerNodeOptions): Promise<Node> {
  const { log, allowsSharedVolume, follow } = options
  const found = options.dataDir === undefined && options.choice.networkID === undefined ? await firstSource(follow) : undefined
  const networkID = options.choice.networkID ?? found?.networkID
  const dataDir = options.dataDir ?? defaultDataDir(networkID ?? LOCAL_ID)
  requireNoFork(dataDir)
  const dir = chainDir(dataDir)
  // A new copy that cannot start leaves nothing on the disk. The data directory also has the node's keys.
  const removeNew = newDirectoryRemover(existsSync(dataDir) ? dir : dataDir)
  const requested = { ...options.choice, networkID }
  const store = openStore(dir, { log, allowsSharedVolume })
  try {
    // An existing copy has its chain in the store. A new one reads the network first.
    const isEmpty = store.latest.get(tables.lastAccepted, null) === undefined
    const choice = isEmpty ? await requestedFrom(requested, follow) : requested
    return await startNode(store, { ...options, choice, dataDir }, followedNodeChain)
  } catch (error) {
    await store.close()
    removeNew()
    throw error
  }
}

interface FollowedOptions extends NodeOptions, NodeHooks, Pick<FollowerNodeOptions, "follow"> {
  readonly choice: RequestedCopy
}

/** Opens the copy of a chain in a store, or makes a new one. */
export async function followedNodeChain(store: Store, options: FollowedOptions): Promise<NodeChain> {
  const { follow, log, wall, onFault, reportFault, stateChanged } = options
  const { choice: request } = options
  const { data, identity, proofs } = openChain(store, options, { kind: "followed", request, make: () => newCopy(request) })
  reportPChainOnly(store, follow.urls.join(", "), log)
  const { FollowedChain } = await import("./followedChain.js")
  const followed = new FollowedChain({ ...follow, store, data, log, wall, onFault, reportFault, stateChanged })
  return {
    data,
    identity,
    proofs,
    live: readOnlyLive(store, data),
    isReady: () => true,
    checks: [
      { name: "follow", run: () => followedReport(followed) },
      { name: "continues", questions: ["readiness"], run: () => requireGoingOn(followed) },
    ],
    registerMetrics: (metrics) => registerFollowedMetrics(metrics, followed),
    start: async () => followed.start(),
    stop: () => followed.stop(),
  }
}

/** Reports the progress of a copy. Throws while the copy cannot continue. */
function followedReport(followed: FollowedChain): Json {
  const { source, target, problem } = followed.status
  if (problem) throw new Error(problem.message)
  if (followed.isGoingBack) throw new Error(`the chain was reverted, and the copy goes back: height ${followed.height}`)
  return {
    url: source?.url ?? null,
    kind: source?.kind ?? null,
    height: Number(followed.height),
    target: Number(target),
    lag: lagOf(followed),
  }
}

/** Throws if the copy stands still until an operator acts. */
function requireGoingOn({ status: { problem } }: FollowedChain): null {
  if (problem && needsOperator(problem)) throw new Error(problem.message)
  return null
}

export function registerFollowedMetrics(registry: Registry, followed: FollowedChain): void {
  const target = () => Number(followed.status.target)
  registry.gauge("serac_follow_target_height", "Height that the followed node is known to have", target)
  registry.gauge("serac_follow_lag_blocks", "Blocks that the copy lacks", () => lagOf(followed))
  registry.gauge("serac_follow_stopped", "1 while something keeps the copy from going on", () =>
    followed.status.problem ? 1 : 0,
  )
}

const lagOf = ({ status, height }: FollowedChain): number => Math.max(0, Number(status.target - height))

/** Returns the first node that answers, with the facts about its chain if it is Serac. Throws the failure of the first address if none does. */
async function firstSource({ urls, http }: FollowOptions) {
  const open = async (url: string, signal: AbortSignal) => {
    const found = await openSource(url, http, signal)
    return { ...found, chain: await found.source.chain?.(signal), genesisBlockID: await found.source.blockIDAt(0n, signal) }
  }
  const opened = await settledSoon(urls, open, { signal: new AbortController().signal, graceMs: graceOf(http) })
  const found = opened.find((each) => each.status === "fulfilled")
  if (found) return found.value
  throw (opened[0] as PromiseRejectedResult).reason
}

/** Returns a new copy: with the network, rules and genesis of the followed node, and the ID of its chain. */
async function requestedFrom(choice: RequestedChain, follow: FollowOptions): Promise<RequestedCopy> {
  const { source, networkID, upgradeText, chain, genesisBlockID } = await firstSource(follow)
  if (choice.networkID !== undefined && choice.networkID !== networkID) {
    throw syncError("sync.other_network", { url: source.url, expected: choice.networkID, got: networkID })
  }
  const published = await loadPublishedGenesis(networkID)
  return {
    networkID,
    genesisText: choice.genesisText,
    genesisBytes: published ?? (choice.genesisText === undefined ? chain?.genesis : undefined),
    genesisBlockID,
    upgrades: choice.upgrades ?? (isProduction(networkID) ? undefined : upgradeText),
    ruleFlags: { ...chain?.header.rules, ...choice.ruleFlags },
    identity: chain && { kind: "followed", id: chain.header.id },
    now: choice.now,
  }
}
