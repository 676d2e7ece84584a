import { heightOfOuter, outerBytesAt, outerIDAt } from "../core/consensus/proposer/wrapperStore.js"
import { hrpOf } from "../core/networks/names.js"
import { REFERENCE, REFERENCE_VERSION } from "../core/networks/reference.js"
import { AnswerRoom } from "../jsonrpc/answerRoom.js"
import { maxAnswerOf } from "../jsonrpc/http/options.js"
import type { Dialect } from "../jsonrpc/schema/param.js"
import type { ContainerPort, NodePort, NodeVersion } from "../services/context.js"
import { proxiedChainID } from "./chainProxy.js"
import type { NodeChain } from "./nodeChain.js"
import type { NodeOptions } from "./options.js"
import { version } from "./version.js"

/** Makes the port through which the services read a node: its chain, and the facts about the node itself. */
export function nodePort(chain: NodeChain, options: NodeOptions, onAccepted: NodePort["onAccepted"]): NodePort {
  const { dialect, isPublic, enabledServices = [], http, log } = options
  const { genesis, rules } = chain.data
  const { nodeID, publicKey, proofOfPossession } = chain.identity
  return {
    networkID: rules.networkID,
    hrp: hrpOf(rules.networkID),
    genesis,
    version: versionOf(dialect),
    hidesIdentity: isPublic,
    answerRoom: new AnswerRoom(maxAnswerOf(http)),
    identity: { nodeID, publicKey, proofOfPossession },
    peerAddress: () => chain.peerAddress?.() ?? "127.0.0.1:9651",
    containers: dialect === "contract" || enabledServices.includes("index") ? containers : undefined,
    proxiedChains: (http?.chainProxies ?? []).map((proxy) => proxiedChainID(proxy.chain, genesis)),
    watchedL1s: options.watchedL1s,
    hasAdmin: dialect === "contract" || enabledServices.includes("admin"),
    onAccepted,
    log,
    ...chain.live,
  }
}

/** Returns the versions that a node reports in a dialect. */
export function versionOf(dialect: Dialect): NodeVersion {
  const isReference = dialect === "avalanchego"
  return {
    name: isReference ? REFERENCE.name : "serac",
    version: isReference ? REFERENCE_VERSION : version,
    databaseVersion: REFERENCE.databaseVersion,
    rpcProtocolVersion: REFERENCE.pluginProtocol,
    gitCommit: "",
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
