import { randomBytes } from "node:crypto"
import type { BootstrapProgress } from "../../core/consensus/bootstrap/bootstrapper.js"
import { defaultSnowParameters, type SnowParameters } from "../../core/consensus/snowman/parameters.js"
import { valueOrThrow } from "../../core/lib/invalid.js"
import { bootstrappersOf } from "../../core/networks/bootstrappers.js"
import { isProduction, networkNameOf } from "../../core/networks/names.js"
import type { BootstrapNode } from "../../core/p2p/addressBook.js"
import { type IpPort, parseIp, parseIpPort } from "../../core/p2p/ipPort.js"
import { type Random, sampleOf } from "../../core/p2p/random.js"
import { parseNodeID } from "../../core/types/id.js"
import { nodeError } from "../../datadir/errors.js"
import type { StoredChain } from "../../datadir/storedChain.js"
import type { Identity } from "../../node/identity/identity.js"
import type { NodeHooks } from "../../node/nodeChain.js"
import type { NodeOptions } from "../../node/options.js"
import type { Store } from "../../store/store.js"
import { checkNetworkSettings, type NetworkSettings } from "./networkSettings.js"

export interface JoinOptions {
  /** The nodes to start from. The node ignores itself among them; a network of one node has no others. */
  readonly bootstrappers: readonly BootstrapNode[]
  /** The address for peers. Port 0 selects a free one. */
  readonly host: string
  readonly port: number
  /** The address that is announced to peers. Port 0 means the port of the listener. */
  readonly publicIp: IpPort
  readonly dialsPrivate: boolean
  /** True if the API answers with the state so far while the node catches up; by default calls about the P-Chain are answered with 503. */
  readonly servesWhileSyncing?: boolean | undefined
  readonly parameters: SnowParameters
  readonly network: NetworkSettings
  /** Called repeatedly while the chain catches up, and with `undefined` when it has caught up; by default the progress is logged. */
  readonly onSync?: (progress: BootstrapProgress | undefined) => void
}

export interface JoinedChainOptions
  extends JoinOptions,
    Pick<NodeHooks, "reportFault" | "stateChanged">,
    Pick<NodeOptions, "log" | "wall"> {
  readonly store: Store
  readonly data: StoredChain
  readonly identity: Identity
}

/** Settings with which an operator joins a network. The defaults are AvalancheGo's; an empty host means all addresses. */
export interface JoinSettings extends Omit<JoinOptions, "bootstrappers" | "publicIp" | "parameters" | "onSync"> {
  /** If they are omitted together with the IDs, five of the network's own bootstrappers are used, if it has some. */
  readonly bootstrapIPs?: readonly string[] | undefined
  readonly bootstrapIDs?: readonly string[] | undefined
  readonly publicIP?: string | undefined
  readonly parameters?: { readonly [K in keyof SnowParameters]?: number | undefined }
}

/** Random numbers of the operating system, and faster ones for choices that need not be unpredictable. */
export const systemRandom: Random = { bytes: (size) => new Uint8Array(randomBytes(size)), fraction: () => Math.random() }

/** The number of a network's own bootstrappers that are chosen. */
const BOOTSTRAPPERS = 5

/** Returns the options for joining; `undefined` for a private chain, which has no bootstrappers. Throws `node.*`, `p2p.*`, `types.*`. */
export function joinOptionsOf(settings: JoinSettings, networkID: number, random: Random): JoinOptions | undefined {
  const { bootstrapIPs, bootstrapIDs, publicIP = "127.0.0.1", host, parameters = {}, ...options } = settings
  const named = namedBootstrappers(bootstrapIPs, bootstrapIDs)
  const bootstrappers = named ?? sampleOf(random, publishedBootstrappers(networkID), BOOTSTRAPPERS)
  if (bootstrappers.length === 0) {
    if (isProduction(networkID)) throw nodeError("node.no_bootstrappers", { network: networkNameOf(networkID) })
    return undefined
  }
  checkNetworkSettings(options.network)
  const ip = parseIp(publicIP)
  if (!ip) throw nodeError("node.bad_public_ip", { got: publicIP })
  const listener = { host: host === "" ? "::" : host, publicIp: { ip, port: 0 } }
  return { ...options, ...listener, bootstrappers, parameters: snowParametersOf(parameters) }
}

/** Returns the named bootstrappers; `undefined` if the flags are absent. */
function namedBootstrappers(ips: JoinSettings["bootstrapIPs"], ids: JoinSettings["bootstrapIDs"]): BootstrapNode[] | undefined {
  if (ips === undefined && ids === undefined) return undefined
  if (ips?.length !== ids?.length) {
    throw nodeError("node.bootstrap_counts", { addresses: ips?.length ?? 0, nodeIDs: ids?.length ?? 0 })
  }
  return (ips ?? []).map((ip, i) => {
    const id = ids?.[i] as string
    return {
      nodeID: valueOrThrow(
        () => parseNodeID(id),
        ({ message }) => nodeError("node.bad_bootstrap_id", { got: id, reason: message }),
      ),
      address: valueOrThrow(
        () => parseIpPort(ip),
        () => nodeError("node.bad_bootstrap_address", { got: ip }),
      ),
    }
  })
}

function publishedBootstrappers(networkID: number): BootstrapNode[] {
  return (bootstrappersOf[networkID] ?? []).map((text) => {
    const [nodeID, address] = text.split(" ") as [string, string]
    return { nodeID: parseNodeID(nodeID), address: parseIpPort(address) }
  })
}

function snowParametersOf(given: NonNullable<JoinSettings["parameters"]>): SnowParameters {
  const named = Object.entries(given).filter(([, value]) => value !== undefined)
  const parameters: SnowParameters = { ...defaultSnowParameters, ...Object.fromEntries(named) }
  const { k, alphaPreference, alphaConfidence, beta, concurrentRepolls } = parameters
  if (concurrentRepolls > beta) throw nodeError("node.bad_repolls", { concurrentRepolls, commitThreshold: beta })
  if (alphaPreference * 2 > k && alphaConfidence >= alphaPreference && alphaConfidence <= k) return parameters
  throw nodeError("node.bad_quorum", { sampleSize: k, preference: alphaPreference, confidence: alphaConfidence })
}
