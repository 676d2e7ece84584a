import type { ChainData } from "../../chaindata/chainData.js"
import type { BootstrapProgress } from "../../core/consensus/bootstrap/bootstrapper.js"
import type { SnowParameters } from "../../core/consensus/snowman/parameters.js"
import type { Log } from "../../core/lib/log.js"
import type { BootstrapNode } from "../../core/p2p/addressBook.js"
import type { IpPort } from "../../core/p2p/ipPort.js"
import type { FaultReports } from "../../node/failure.js"
import type { Identity } from "../../node/identity/identity.js"
import type { Store } from "../../store/store.js"
import type { NetworkSettings } from "./networkSettings.js"

export interface JoinOptions {
  /** The nodes to start from. The node ignores itself among them; a network of one node has no others. */
  readonly bootstrappers: readonly BootstrapNode[]
  /** The address for peers. Port 0 selects a free one. */
  readonly host: string
  readonly port: number
  /** The address that is announced to peers. Port 0 means the port of the listener. */
  readonly publicIp: IpPort
  readonly dialsPrivate: boolean
  /** True if the API answers with the state so far while the node catches up. */
  readonly servesWhileSyncing?: boolean
  readonly parameters: SnowParameters
  /** The settings of the network; AvalancheGo's by default. */
  readonly network?: NetworkSettings
  /** Called repeatedly while the chain catches up, and with `undefined` when it has caught up; by default the progress is logged. */
  readonly onSync?: (progress: BootstrapProgress | undefined) => void
}

export interface JoinedChainOptions extends JoinOptions, FaultReports {
  readonly store: Store
  readonly data: ChainData
  readonly identity: Identity
  readonly log: Log
  /** The machine's clock, Unix milliseconds. */
  wall(): number
}
