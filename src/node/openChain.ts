import { project } from "../core/readmodel/fold.js"
import { readModelTables } from "../core/readmodel/index.js"
import { Dev } from "../producer/dev/dev.js"
import { PrivateChain } from "../producer/privateChain.js"
import type { NodePort } from "../services/context.js"
import { type ChainData, genesisEdits } from "./chainData.js"
import { nodeError } from "./errors.js"
import type { FaultReports } from "./failure.js"
import type { FollowedChain } from "./follow/followedChain.js"
import { hasBuiltInValidators } from "./genesis/storedGenesis.js"
import type { Identity } from "./identity/identity.js"
import type { JoinedChain } from "./joined/joinedChain.js"
import type { JoinOptions } from "./joined/joinOptions.js"
import type { L1Host } from "./l1/l1Host.js"
import type { NodeOptions } from "./nodeOptions.js"
import { joinedPort, livePort, servedPort } from "./nodePorts.js"
import { nodeTables, tablesBesideChain } from "./nodeTables.js"
import { projectOverride } from "./projectOverride.js"
import { bringUpHistory, makeReadModel } from "./readModel.js"
import { StoreFollower } from "./storeFollower.js"
import { systemTimers } from "./timers.js"

/** The chain of a node, and the port through which the API reads it. */
export interface OpenedChain {
  readonly privateChain: PrivateChain | undefined
  readonly dev: Dev | undefined
  /** The L1s of the node; `undefined` if it hosts none. */
  readonly l1s: L1Host | undefined
  readonly follower: StoreFollower | undefined
  readonly joined: JoinedChain | undefined
  readonly followed: FollowedChain | undefined
  readonly node: NodePort
}

/**
 * Opens the chain of a node by its mode. A private chain makes no block before `proofs` resolves.
 */
export async function openChain(
  options: NodeOptions & FaultReports,
  data: ChainData,
  identity: Identity,
  proofs: Promise<void> | undefined,
): Promise<OpenedChain> {
  const { store, mode, log, wall, onFault = () => {}, reportFault } = options
  const privateChain = mode === "dev" ? openPrivateChain(options, data, proofs) : undefined
  const dev = privateChain && new Dev(privateChain, { initialState: options.loadState })
  const follower = options.follows ? new StoreFollower({ store, ...options.follows, reportFault }) : undefined
  const join = options.join && withoutSelf(options.join, identity)
  const joined = join && (await openJoinedChain({ ...join, store, data, identity, log, wall, reportFault }))
  const followed =
    options.follow && (await openFollowedChain({ ...options.follow, store, data, log, wall, onFault, reportFault }))
  const l1s = privateChain && (await openL1s(options, data, identity, privateChain))
  const node = joined
    ? joinedPort(joined, options, data, identity)
    : privateChain
      ? livePort(privateChain, options, data, identity, l1s)
      : servedPort(options, data, identity, options.reader ?? followed ?? follower)
  return { privateChain, dev, l1s, follower, joined, followed, node }
}

/** Removes the node itself from the nodes that it starts from. */
function withoutSelf(join: JoinOptions, { nodeID }: Identity): JoinOptions {
  return { ...join, bootstrappers: join.bootstrappers.filter((each) => each.nodeID !== nodeID) }
}

/** The peer protocol is loaded on use, because it takes a tenth of a second. */
async function openJoinedChain(options: ConstructorParameters<typeof JoinedChain>[0]): Promise<JoinedChain> {
  const { JoinedChain } = await import("./joined/joinedChain.js")
  return new JoinedChain(options)
}

async function openFollowedChain(options: ConstructorParameters<typeof FollowedChain>[0]): Promise<FollowedChain> {
  const { FollowedChain } = await import("./follow/followedChain.js")
  return new FollowedChain(options)
}

/** Opens the L1s of a private chain. A node without plugins does not load their host. */
async function openL1s(
  { pluginDir, dataDir, isPublic, producer, log, wall, reportFault }: NodeOptions & FaultReports,
  data: ChainData,
  identity: Identity,
  privateChain: PrivateChain,
): Promise<L1Host | undefined> {
  if (pluginDir === undefined) return undefined
  if (isPublic) throw nodeError("node.public_plugins")
  const [{ L1Host }, { l1Folder }] = await Promise.all([import("./l1/l1Host.js"), import("./l1/l1Record.js")])
  const folder = dataDir === undefined ? undefined : l1Folder(dataDir)
  const hasWarpLag = producer?.hasWarpLag ?? false
  return new L1Host({ pluginDir, folder, data, identity, privateChain, hasWarpLag, log, wall, reportFault })
}

function openPrivateChain(
  { store, log, wall, producer: choices, onFault, reportFault, history, fork }: NodeOptions & FaultReports,
  data: ChainData,
  proofs: Promise<void> | undefined,
): PrivateChain {
  return new PrivateChain({
    rules: data.rules,
    genesis: data.genesis,
    hasBuiltInValidators: hasBuiltInValidators(store, data.genesis),
    store,
    tables: nodeTables,
    tablesBesideChain,
    readModelTables,
    rebuild: (genesis) => makeReadModel(store, genesis, log),
    bringUp: (genesis) => bringUpHistory(store, genesis, history ?? "on", log),
    genesisEdits: () => genesisEdits(data),
    fork,
    project,
    proofs,
    projectOverride,
    wall,
    timers: systemTimers,
    log,
    choices,
    isNew: data.isNew,
    reportFault,
    ...(onFault ? { onFault } : {}),
  })
}
