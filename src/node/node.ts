import { existsSync } from "node:fs"
import { wholeSeconds } from "../core/lib/wholeSeconds.js"
import { hrpOf, isProduction, networkNameOf } from "../core/networks/names.js"
import { heightOf } from "../core/state/tables.js"
import { nodeIDText } from "../core/types/id.js"
import { defaultHttpOptions, type HttpOptions } from "../jsonrpc/http/options.js"
import type { ListenAddress } from "../jsonrpc/http/server.js"
import { Keystore } from "../keystore/keystore.js"
import { loadBackends } from "../platform/backends.js"
import type { Publisher } from "../postgres/publisher.js"
import type { Dev } from "../producer/dev/dev.js"
import type { L1Hosting } from "../producer/l1Hosting.js"
import type { PrivateChain } from "../producer/privateChain.js"
import { ActivityLog } from "./activityLog.js"
import { type NodeApi, openApi } from "./api.js"
import { type ChainData, openChainData } from "./chainData.js"
import { checkKind, originOf } from "./chainKind.js"
import { nodeError } from "./errors.js"
import type { FaultReports } from "./failure.js"
import { followedChecks, registerFollowedMetrics } from "./follow/followedStatus.js"
import { GenesisProofs } from "./genesis/genesisProofs.js"
import { historyCheck, watchHistory } from "./historyStatus.js"
import { type NodeServer, openHttpServer } from "./httpServer.js"
import { type Identity, openIdentity, stakingFolder } from "./identity/identity.js"
import { joinedChecks } from "./joined/joinedChecks.js"
import { registerJoinedMetrics } from "./joined/joinedMetrics.js"
import type { L1Host } from "./l1/l1Host.js"
import { listenError } from "./listenError.js"
import { registerNodeMetrics } from "./nodeMetrics.js"
import type { NodeOptions } from "./nodeOptions.js"
import { type OpenedChain, openChain } from "./openChain.js"
import { publisherCheck, registerPublisherMetrics } from "./publisherStatus.js"
import { bringUpHistory, bringUpReadModel, historyParts } from "./readModel.js"
import { readCheck, registerReadMetrics } from "./readStatus.js"
import { MIN_FREE_DISK, storeChecks } from "./storeChecks.js"
import { keepUpgrades } from "./upgradesOfChain.js"
import { watchClock } from "./watchClock.js"

/** A running node. */
export interface Node {
  readonly api: NodeApi
  readonly data: ChainData
  readonly identity: Identity
  readonly privateChain: PrivateChain | undefined
  readonly dev: Dev | undefined
  /** The L1s whose VMs run in the node; `undefined` if it hosts none. */
  readonly l1s: L1Hosting | undefined
  readonly listening: ListenAddress | undefined
  /** Returns the node's clock, Unix seconds. */
  now(): bigint
  /** Returns the height of the last accepted block. */
  height(): bigint
  /**
   * Resolves when the chain has begun: at once, or when the proofs of possession of its genesis are verified. Rejects if one is invalid.
   */
  readonly begun: Promise<void>
  /** Finishes the work in progress, and releases all resources. */
  stop(): Promise<void>
}

/** Starts a node on an open store. Throws `node.*`, `store.*`, `genesis.*` if it cannot; the store is then closed. */
export async function startNode(options: NodeOptions): Promise<Node> {
  try {
    return await start(options)
  } catch (error) {
    await options.store.close()
    throw error
  }
}

async function start(options: NodeOptions): Promise<Node> {
  const { store, log } = options
  const data = dataOf(options)
  if (!options.reader) bringUpReadModel(store, data.genesis, log)
  const identity = identityOf(options, data)
  const proofs = openProofs(options, data)
  // A node that reads a chain of another process leaves the rows to that process.
  const ownsRows = !options.follows && !options.reader
  if (ownsRows && !(proofs && addsHistoryLater(options))) bringUpHistory(store, data.genesis, options.history ?? "on", log)
  // The API counts faults, and is opened after the parts that may report some.
  const reportFault: FaultReports["reportFault"] = (error, where) => api.onFault(error, where)
  const chain = await openChain({ ...options, reportFault }, data, identity, proofs?.verdict)
  const { privateChain, dev, l1s, follower, joined, followed, node } = chain
  const publisher = await publisherOf({ ...options, reportFault }, data)
  const activity = activityLogOf(options, data)
  const api = apiOf(options, data, { ...chain, publisher }, activity)
  registerMetrics(api, options, { ...chain, publisher })
  const server = serverOf(options, { api, identity, activity, l1s })
  const unwatch = privateChain && watchClock(options.wall, () => privateChain.clockWasSet())
  const stop = async () => {
    unwatch?.()
    proofs?.stop()
    dev?.stopWaiting()
    privateChain?.interrupt()
    follower?.stop()
    await server?.close()
    await l1s?.close()
    await joined?.stop()
    await followed?.stop()
    await privateChain?.stop()
    await publisher?.stop()
    activity.flush()
    api.close()
    await store.close()
  }
  node.onAccepted((event) => activity.accepted(event))
  node.onAccepted(() => publisher?.wake())
  node.onAccepted(watchHistory(store, log))
  try {
    if (!proofs) await startChain(options, chain)
    if (publisher) await startPublishing(publisher)
    const listening = await server?.listen()
    if (listening?.metricsUrl) log.info("metrics", { url: listening.metricsUrl })
    const begun = proofs ? beginAfter(proofs, options, chain) : Promise.resolve()
    return {
      api,
      data,
      identity,
      privateChain,
      dev,
      l1s,
      listening,
      now: node.now,
      height: () => heightOf(store.latest),
      begun,
      stop,
    }
  } catch (error) {
    await stop()
    throw listenError(error, options.http) ?? error
  }
}

/** Opens the chain of a node, or makes a new one, if the store may be opened in this mode. */
function dataOf(options: NodeOptions): ChainData {
  const { store, mode, choice, fork } = options
  checkKind(options)
  const data = openChainData(
    store,
    { ...choice, origin: originOf(options), addsHistoryLater: addsHistoryLater(options) },
    options.log,
  )
  const { networkID } = data.rules
  if (mode === "join" || mode === "follow") keepUpgrades(store, networkID)
  if (mode === "dev" && !fork && isProduction(networkID)) {
    throw nodeError("node.production", { network: networkNameOf(networkID) })
  }
  return data
}

/**
 * Returns whether the history of a genesis with many proofs is added while these are verified, when the node listens already. A publisher needs
 * it before, and a read server has it in the database.
 */
const addsHistoryLater = ({ publish, reader }: NodeOptions): boolean => publish === undefined && reader === undefined

/** Parts of a node that its server needs. */
interface ServedParts {
  readonly api: NodeApi
  readonly identity: Identity
  readonly activity: ActivityLog
  readonly l1s: L1Host | undefined
}

function serverOf(options: NodeOptions, { api, identity, activity, l1s }: ServedParts): NodeServer | undefined {
  const { http, servingProcess } = options
  if (!http) return undefined
  return openHttpServer(
    api,
    { ...defaultHttpOptions, ...nodeHeader(options, identity), ...http },
    {
      onResponse: (status) => activity.responded(status),
      l1s,
      ...(servingProcess ? { metrics: () => servingProcess.metricsOfAll() } : {}),
    },
  )
}

/** The chain of a node, and its publisher if it has one. */
interface PublishedChain extends OpenedChain {
  readonly publisher: Publisher | undefined
}

function registerMetrics(api: NodeApi, options: NodeOptions, { joined, followed, publisher, l1s }: PublishedChain): void {
  registerNodeMetrics(api, options)
  if (joined) registerJoinedMetrics(api.metrics, joined)
  if (followed) registerFollowedMetrics(api.metrics, followed)
  if (options.reader) registerReadMetrics(api.metrics, options.reader.status, options.reader.past)
  l1s?.registerMetrics(api.metrics)
  if (publisher) registerPublisherMetrics(api.metrics, publisher, options.store)
}

function apiOf(options: NodeOptions, { rules }: ChainData, chain: PublishedChain, activity: ActivityLog): NodeApi {
  const { store, log, dialect, isPublic, join, reader, servingProcess } = options
  const { node, dev, follower, joined, followed, publisher, l1s } = chain
  return openApi({
    dialect,
    rules,
    node,
    snapshot: () => store.view(),
    meta: store,
    // The follower reports overrides and reverts of the other process before it returns the number of the new state.
    ...(follower ? { version: () => follower.version() } : {}),
    // While a chain catches up, listeners are not called for its blocks.
    ...(join?.servesWhileSyncing ? { version: () => store.version() } : {}),
    isPublic,
    cacheBytes: options.cacheBytes,
    keystore: isPublic || servingProcess ? undefined : new Keystore(store),
    dev,
    l1s,
    isPastElsewhere: reader !== undefined,
    isReady: () => reader?.status().isCaughtUp ?? (join?.servesWhileSyncing || (joined?.status.isBootstrapped ?? true)),
    checks: [
      ...storeChecks({ store, dataDir: options.dataDir, minFreeDisk: options.minFreeDisk ?? MIN_FREE_DISK }),
      historyCheck(store),
      ...(joined && join
        ? joinedChecks({
            joined: joined.status,
            parameters: join.parameters,
            limits: join.network?.health,
            rules,
            wall: options.wall,
          })
        : []),
      ...(followed ? followedChecks(followed) : []),
      ...(publisher ? [publisherCheck(publisher, store)] : []),
      ...(reader ? [readCheck(reader.status)] : []),
      ...(l1s ? [l1s.check] : []),
    ],
    ...(servingProcess ? { healthOf: (...own) => servingProcess.healthOfAll(...own) } : {}),
    observe: (call) => activity.called(call),
    onRefusal: (error) => activity.refused(error),
    onFault: (error, where) => log.error("an error inside Serac", { where, error: String((error as Error).stack ?? error) }),
  })
}

/** Opens the publisher of the chain. A node that publishes nothing does not load it. */
async function publisherOf(
  { publish: url, snapshotEvery, replaces, chainKind, store, mode, history, log, reportFault }: NodeOptions & FaultReports,
  data: ChainData,
): Promise<Publisher | undefined> {
  if (url === undefined) return undefined
  if (history === "off") throw nodeError("node.publish_without_history")
  const { openPublisher } = await import("./openPublisher.js")
  return openPublisher({ url, store, data, canRevert: mode === "dev", snapshotEvery, replaces, chainKind, log, reportFault })
}

/** Starts a publisher. Rejects if the database has another chain. */
async function startPublishing(publisher: Publisher): Promise<void> {
  const { untilCompared } = await import("../postgres/untilPublished.js")
  publisher.start()
  await untilCompared(publisher)
}

/** Returns the proofs of a genesis that are not verified yet. A reader of another process's chain leaves them to that process. */
function openProofs(options: NodeOptions, { genesis, isProven }: ChainData): GenesisProofs | undefined {
  const { store, follows, history = "on", log } = options
  if (isProven || follows) return undefined
  const meanwhile = addsHistoryLater(options) ? historyParts(store, genesis, history, log) : []
  return new GenesisProofs({ store, genesis, meanwhile, log })
}

/** Verifies the proofs of the genesis, and then starts the chain. Reads are answered meanwhile. */
function beginAfter(proofs: GenesisProofs, options: NodeOptions, chain: OpenedChain): Promise<void> {
  proofs.start()
  const begun = proofs.verdict.then(() => startChain(options, chain))
  begun.catch((error) => {
    if (!proofs.isStopped) options.onFault?.(error)
  })
  return begun
}

async function startChain(
  { store, log, isPublic, loadState }: NodeOptions,
  { privateChain, joined, followed, dev, l1s }: OpenedChain,
): Promise<void> {
  const replaced = { height: heightOf(store.latest) }
  // A chain that is about to be replaced needs no blocks.
  if (!loadState) await privateChain?.start()
  await joined?.start()
  followed?.start()
  // On a public server the back ends are loaded in advance, so that no call waits for them. A developer's own chain starts sooner without.
  if (privateChain && isPublic) await loadBackends()
  if (loadState) {
    if (replaced.height > 0n) log.warn("the chain that was kept here is replaced", replaced)
    await dev?.loadState(loadState)
  }
  await l1s?.open()
}

function activityLogOf({ log, wall }: NodeOptions, { rules }: ChainData): ActivityLog {
  return new ActivityLog({ log, hrp: hrpOf(rules.networkID), avaxAssetID: rules.avaxAssetID, now: wall })
}

function identityOf({ dataDir: given, identity, choice, wall, follows, mode }: NodeOptions, { genesis }: ChainData): Identity {
  // The public identity of the local network is only for private chains. Among peers it would be another node's.
  const isBuiltIn = mode !== "join" && mode !== "follow" && choice.genesisText === undefined && !isProduction(genesis.networkID)
  // A node that only reads writes nothing into the directory, which may be read-only. Its own keys then last as long as the process.
  const dataDir = follows && given && !existsSync(stakingFolder(given)) ? undefined : given
  return openIdentity({ isBuiltIn, dataDir, ...(identity ? { flags: identity } : {}), now: wholeSeconds(wall()) })
}

/** Returns the node ID for the header of responses; `undefined` on a public server, which does not reveal it. */
function nodeHeader({ isPublic }: NodeOptions, { nodeID }: Identity): Partial<HttpOptions> {
  return { nodeID: isPublic ? undefined : nodeIDText(nodeID) }
}
