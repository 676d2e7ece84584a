import type { BootstrapProgress } from "../core/consensus/bootstrap/bootstrapper.js"
import type { SnowParameters } from "../core/consensus/snowman/parameters.js"
import type { Log } from "../core/lib/log.js"
import type { BootstrapNode } from "../core/p2p/addressBook.js"
import type { IpPort } from "../core/p2p/ipPort.js"
import type { Store } from "../store/store.js"
import type { ChainData } from "./chainData.js"
import type { Identity } from "./identity.js"
import type { NetworkSettings } from "./networkSettings.js"

/** Options of joining a network. */
export interface JoinOptions {
  /** Nodes to start from. Where the node itself is among them, it leaves itself out; a network of one node has nobody else. */
  readonly bootstrappers: readonly BootstrapNode[]
  /** Address for peers; port 0 takes a free one. */
  readonly host: string
  readonly port: number
  /** The address that peers are told; its port is that of the listener where it is 0. */
  readonly publicIp: IpPort
  readonly dialsPrivate: boolean
  /** Whether the API answers from what is known so far while it catches up. */
  readonly servesWhileSyncing?: boolean
  readonly parameters: SnowParameters
  /** Whether the node votes and builds blocks while its node ID is a validator's. Left out: on all networks but Mainnet and Fuji. */
  readonly validates?: boolean
  /** Left out: AvalancheGo's defaults. */
  readonly network?: NetworkSettings
  /** Called again and again while the chain catches up, and with `undefined` when it has; left out: the log tells. */
  readonly onSync?: (progress: BootstrapProgress | undefined) => void
}

/** Options of a joined chain. */
export interface JoinedChainOptions extends JoinOptions {
  readonly store: Store
  readonly data: ChainData
  readonly identity: Identity
  readonly log: Log
  /** The machine's clock, Unix milliseconds. */
  wall(): number
  /** Called with a fault of ours that leaves the chain unable to go on. */
  onFault(error: unknown): void
}
