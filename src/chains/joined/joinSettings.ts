import { nodeError } from "../../chaindata/errors.js"
import { defaultSnowParameters, type SnowParameters } from "../../core/consensus/snowman/parameters.js"
import { Invalid } from "../../core/lib/invalid.js"
import { bootstrappersOf } from "../../core/networks/bootstrappers.js"
import { isProduction, networkNameOf } from "../../core/networks/names.js"
import type { BootstrapNode } from "../../core/p2p/addressBook.js"
import { type IpPort, parseIp, parseIpPort } from "../../core/p2p/ipPort.js"
import { type Random, sampleOf } from "../../core/p2p/random.js"
import { type NodeID, parseNodeID } from "../../core/types/id.js"
import type { JoinOptions } from "./joinOptions.js"
import { checkNetworkSettings, type NetworkSettings } from "./networkSettings.js"

/** Settings with which an operator joins a network. The defaults are AvalancheGo's. */
export interface JoinSettings {
  /** If they are omitted together with the IDs, five of the network's own bootstrappers are used, if it has some. */
  readonly bootstrapIPs?: readonly string[] | undefined
  readonly bootstrapIDs?: readonly string[] | undefined
  /** The host to listen at. An empty text means all addresses. */
  readonly host: string
  readonly port: number
  readonly publicIP?: string | undefined
  readonly dialsPrivate: boolean
  /** By default calls about the P-Chain are answered with 503 until it has caught up. */
  readonly servesWhileSyncing?: boolean | undefined
  readonly sampleSize?: number | undefined
  readonly preferenceQuorum?: number | undefined
  readonly confidenceQuorum?: number | undefined
  readonly commitThreshold?: number | undefined
  readonly concurrentRepolls?: number | undefined
  readonly network?: NetworkSettings | undefined
}

/** The number of a network's own bootstrappers that are chosen. */
const BOOTSTRAPPERS = 5

/**
 * Returns the options for joining; `undefined` for a private chain, which is a network without bootstrappers. Throws `node.*`, `p2p.*`,
 * `types.*`.
 */
export function joinOptionsOf(settings: JoinSettings, networkID: number, random: Random): JoinOptions | undefined {
  const { host, port, publicIP = "127.0.0.1", dialsPrivate, servesWhileSyncing = false } = settings
  const bootstrappers = namedBootstrappers(settings) ?? sampleOf(random, publishedBootstrappers(networkID), BOOTSTRAPPERS)
  if (bootstrappers.length === 0) {
    if (isProduction(networkID)) throw nodeError("node.no_bootstrappers", { network: networkNameOf(networkID) })
    return undefined
  }
  const { network } = settings
  if (network) checkNetworkSettings(network)
  const ip = parseIp(publicIP)
  if (!ip) throw nodeError("node.bad_public_ip", { got: publicIP })
  return {
    bootstrappers,
    host: host === "" ? "::" : host,
    port,
    publicIp: { ip, port: 0 },
    dialsPrivate,
    servesWhileSyncing,
    parameters: parametersOf(settings),
    ...(network && { network }),
  }
}

/** Returns the named bootstrappers; `undefined` if the flags are absent, or name none. */
function namedBootstrappers({ bootstrapIPs: addresses, bootstrapIDs: ids }: JoinSettings): BootstrapNode[] | undefined {
  if (addresses === undefined && ids === undefined) return undefined
  if (addresses?.length !== ids?.length) {
    throw nodeError("node.bootstrap_counts", { addresses: addresses?.length ?? 0, nodeIDs: ids?.length ?? 0 })
  }
  return (addresses ?? []).map((text, i) => ({ nodeID: bootstrapID(ids?.[i] as string), address: bootstrapAddress(text) }))
}

function bootstrapID(text: string): NodeID {
  try {
    return parseNodeID(text)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw nodeError("node.bad_bootstrap_id", { got: text, reason: error.message })
  }
}

function bootstrapAddress(text: string): IpPort {
  try {
    return parseIpPort(text)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw nodeError("node.bad_bootstrap_address", { got: text })
  }
}

function publishedBootstrappers(networkID: number): BootstrapNode[] {
  return (bootstrappersOf[networkID] ?? []).map((text) => {
    const [nodeID, address] = text.split(" ") as [string, string]
    return { nodeID: parseNodeID(nodeID), address: parseIpPort(address) }
  })
}

function parametersOf(settings: JoinSettings): SnowParameters {
  const parameters = {
    k: settings.sampleSize ?? defaultSnowParameters.k,
    alphaPreference: settings.preferenceQuorum ?? defaultSnowParameters.alphaPreference,
    alphaConfidence: settings.confidenceQuorum ?? defaultSnowParameters.alphaConfidence,
    beta: settings.commitThreshold ?? defaultSnowParameters.beta,
    concurrentRepolls: settings.concurrentRepolls ?? defaultSnowParameters.concurrentRepolls,
  }
  const { k, alphaPreference, alphaConfidence, beta, concurrentRepolls } = parameters
  if (concurrentRepolls > beta) throw nodeError("node.bad_repolls", { concurrentRepolls, commitThreshold: beta })
  if (alphaPreference * 2 > k && alphaConfidence >= alphaPreference && alphaConfidence <= k) return parameters
  throw nodeError("node.bad_quorum", { sampleSize: k, preference: alphaPreference, confidence: alphaConfidence })
}
