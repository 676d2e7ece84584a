import { defaultSnowParameters, type SnowParameters } from "../core/consensus/snowman/parameters.js"
import { isProduction, networkNameOf } from "../core/networks/names.js"
import { parseIp, parseIpPort } from "../core/p2p/ipPort.js"
import { parseNodeID } from "../core/types/id.js"
import { nodeError } from "./errors.js"
import type { JoinOptions } from "./joinedChain.js"

/** How an operator describes joining a network. What is left out is AvalancheGo's default. */
export interface JoinSettings {
  readonly bootstrapIPs: readonly string[]
  readonly bootstrapIDs: readonly string[]
  /** Empty: all addresses. */
  readonly host: string
  readonly port: number
  readonly publicIP?: string | undefined
  readonly dialsPrivate: boolean
  readonly sampleSize?: number | undefined
  readonly preferenceQuorum?: number | undefined
  readonly confidenceQuorum?: number | undefined
  readonly commitThreshold?: number | undefined
  readonly concurrentRepolls?: number | undefined
}

/** How to join; `undefined` where a private chain is meant: a network without bootstrappers. Throws `node.*`, `p2p.*`, `types.*`. */
export function joinOptionsOf(settings: JoinSettings, networkID: number): JoinOptions | undefined {
  const { bootstrapIPs, bootstrapIDs, host, port, publicIP = "127.0.0.1", dialsPrivate } = settings
  if (bootstrapIPs.length !== bootstrapIDs.length) {
    throw nodeError("node.bootstrap_counts", { addresses: bootstrapIPs.length, nodeIDs: bootstrapIDs.length })
  }
  if (bootstrapIPs.length === 0) {
    if (isProduction(networkID)) throw nodeError("node.no_bootstrappers", { network: networkNameOf(networkID) })
    return undefined
  }
  const ip = parseIp(publicIP)
  if (!ip) throw nodeError("node.bad_public_ip", { got: publicIP })
  return {
    bootstrappers: bootstrapIPs.map((text, i) => ({
      nodeID: parseNodeID(bootstrapIDs[i] as string),
      address: parseIpPort(text),
    })),
    host: host === "" ? "::" : host,
    port,
    publicIp: { ip, port: 0 },
    dialsPrivate,
    parameters: parametersOf(settings),
  }
}

function parametersOf(settings: JoinSettings): SnowParameters {
  const parameters = {
    k: settings.sampleSize ?? defaultSnowParameters.k,
    alphaPreference: settings.preferenceQuorum ?? defaultSnowParameters.alphaPreference,
    alphaConfidence: settings.confidenceQuorum ?? defaultSnowParameters.alphaConfidence,
    beta: settings.commitThreshold ?? defaultSnowParameters.beta,
    concurrentRepolls: settings.concurrentRepolls ?? defaultSnowParameters.concurrentRepolls,
  }
  const { k, alphaPreference, alphaConfidence } = parameters
  if (alphaPreference * 2 > k && alphaConfidence >= alphaPreference && alphaConfidence <= k) return parameters
  throw nodeError("node.bad_quorum", { sampleSize: k, preference: alphaPreference, confidence: alphaConfidence })
}
