import { heightOfOuter, outerBytesAt, outerIDAt } from "../core/consensus/proposer/wrapperStore.js"
import type { Log } from "../core/lib/log.js"
import { hrpOf } from "../core/networks/names.js"
import { chainTimeOf } from "../core/rules/context.js"
import { heightOf } from "../core/state/tables.js"
import { AnswerRoom } from "../jsonrpc/answerRoom.js"
import { type HttpOptions, maxAnswerOf } from "../jsonrpc/http/options.js"
import type { Dialect } from "../jsonrpc/schema/param.js"
import type { PrivateChain } from "../producer/privateChain.js"
import type { ContainerPort, NodePort, NodeVersion } from "../services/context.js"
import type { Store } from "../store/store.js"
import type { ChainData } from "./chainData.js"
import { proxiedChainID } from "./chainProxy.js"
import { nodeError } from "./errors.js"
import type { Identity } from "./identity/identity.js"
import type { JoinedChain } from "./joined/joinedChain.js"
import type { StoreFollower } from "./storeFollower.js"
import { version } from "./version.js"

/** The options of a node that its port depends on. */
interface PortOptions {
  readonly store: Store
  readonly dialect: Dialect
  readonly isPublic: boolean
  /** AvalancheGo's services that the `avalanchego` dialect has only if they are enabled. The other dialect always has them. */
  readonly enabledServices?: readonly ("index" | "admin")[]
  readonly http?: Partial<HttpOptions> | undefined
  readonly log?: Log
}

/** The members that the ports of all modes share. */
function commonPort(
  { dialect, isPublic, enabledServices = [], http, log }: PortOptions,
  { genesis, rules }: ChainData,
  identity: Identity,
  ip: () => string = () => "127.0.0.1:9651",
) {
  const { publicKey, nodeID } = identity
  return {
    networkID: rules.networkID,
    hrp: hrpOf(rules.networkID),
    genesis,
    version: versionOf(dialect),
    hidesIdentity: isPublic,
    answerRoom: new AnswerRoom(maxAnswerOf(http)),
    identity: {
      nodeID,
      publicKey,
      // The proof is made on first use, because it takes longer than the rest of a start.
      get proofOfPossession() {
        return identity.proofOfPossession
      },
      get ip() {
        return ip()
      },
    },
    containers: dialect === "contract" || enabledServices.includes("index") ? containers : undefined,
    proxiedChains: (http?.chainProxies ?? []).map(({ chain }) => proxiedChainID(chain, genesis)),
    hasAdmin: dialect === "contract" || enabledServices.includes("admin"),
    log,
  }
}

/** The version of AvalancheGo whose rules and answers Serac follows. */
const REFERENCE_VERSION = "1.15.0"

/** Returns the versions that a node reports in a dialect. */
export function versionOf(dialect: Dialect): NodeVersion {
  const isReference = dialect === "avalanchego"
  return {
    name: isReference ? "avalanchego" : "serac",
    version: isReference ? REFERENCE_VERSION : version,
    databaseVersion: "v1.4.5",
    rpcProtocolVersion: 46,
    gitCommit: "",
  }
}

/** Makes the port of a private chain. */
export function livePort(
  privateChain: PrivateChain,
  options: PortOptions,
  data: ChainData,
  identity: Identity,
  vms: NodePort["vms"],
): NodePort {
  return {
    ...commonPort(options, data, identity),
    isPrivate: true,
    vms,
    now: () => privateChain.now(),
    uptimeOf: (nodeID) => privateChain.uptimeOf(nodeID),
    proposedHeight: () => privateChain.proposedHeight(),
    currentEpoch: () => privateChain.currentEpoch(),
    txStatus: (txID) => privateChain.txStatus(txID),
    gasNow: () => privateChain.gasNow(),
    mempoolSize: () => privateChain.mempoolSize(),
    issueTx: (tx, pace) => privateChain.issueTx(tx, pace),
    onAccepted: (listener) => privateChain.onAccepted(listener),
  }
}

/** Makes the port of a chain of a network with peers. */
export function joinedPort(joined: JoinedChain, options: PortOptions, data: ChainData, identity: Identity): NodePort {
  return {
    ...commonPort(options, data, identity, () => joined.status.ipText),
    now: () => joined.status.now(),
    uptimeOf: (nodeID) => joined.status.uptimeOf(nodeID),
    measuresUptimes: true,
    peers: () => joined.status.connectedPeers(),
    isBootstrapped: () => joined.status.isBootstrapped,
    proposedHeight: () => joined.status.proposedHeight(),
    currentEpoch: () => joined.status.currentEpoch(),
    undecidedBlock: (id) => joined.status.undecidedBlock(id),
    preferredState: () => joined.status.preferredState(),
    txStatus: (txID) => joined.mempool.statusOf(txID),
    mempoolSize: () => joined.mempool.size,
    issueTx: (tx, pace) => joined.mempool.issue(tx, pace),
    onAccepted: (listener) => joined.onAccepted(listener),
  }
}

/** Makes the port of a chain that this node does not extend. Its clock stays at the time of its last block. */
export function servedPort(
  options: PortOptions,
  data: ChainData,
  identity: Identity,
  follower: Pick<StoreFollower, "onAccepted"> | undefined,
): NodePort {
  const { store } = options
  const last = () => heightOf(store.latest)
  return {
    ...commonPort(options, data, identity),
    now: () => chainTimeOf(store.latest),
    uptimeOf: () => undefined,
    proposedHeight: last,
    currentEpoch: () => ({ pChainHeight: last(), number: 1n, startTime: data.genesis.timestamp }),
    txStatus: () => undefined,
    mempoolSize: () => 0,
    async issueTx() {
      throw nodeError("node.read_only")
    },
    onAccepted: (listener) => follower?.onAccepted(listener) ?? (() => {}),
  }
}

/** Accepted blocks by height and by the ID of their wrapper, as other nodes know them. */
export const containers: ContainerPort = {
  at(view, height) {
    const [id, bytes] = [outerIDAt(view, height), outerBytesAt(view, height)]
    return id === undefined || bytes === undefined ? undefined : { id, bytes }
  },
  heightOf: heightOfOuter,
}
