import { sign } from "node:crypto"
import type { AcceptedEvent } from "../core/blocks/acceptedEvent.js"

import type { Block } from "../core/blocks/block.js"
import { Chain } from "../core/chain/chain.js"
import { RecentlyAccepted } from "../core/chain/recentlyAccepted.js"
import { Engine } from "../core/consensus/engine/engine.js"
import { checkProposer } from "../core/consensus/proposer/checkProposer.js"
import type { OuterBlock } from "../core/consensus/proposer/outerBlock.js"
import { OuterChain } from "../core/consensus/proposer/outerChain.js"
import { childTimestamp } from "../core/consensus/proposer/wrapperRules.js"
import type { SnowParameters } from "../core/consensus/snowman/parameters.js"
import { bls } from "../core/crypto/backends.js"
import type { Log } from "../core/lib/log.js"
import { max } from "../core/lib/math64.js"
import { scheduledACPs } from "../core/networks/acps.js"
import { isProduction } from "../core/networks/names.js"
import { upgradeNames } from "../core/networks/upgrades.js"
import type { Bootstrapper } from "../core/p2p/addressBook.js"
import { ANNOUNCED_VERSION, clientVersionText } from "../core/p2p/clientVersion.js"
import { type IpPort, ipPortText } from "../core/p2p/ipPort.js"
import { Peers } from "../core/p2p/peers.js"
import { signIp } from "../core/p2p/signedIp.js"
import { project } from "../core/readmodel/fold.js"
import { type Epoch, newEpoch } from "../core/rules/epoch.js"
import { tables } from "../core/state/tables.js"
import { type NodeID, nodeIDText, PRIMARY_NETWORK_ID } from "../core/types/id.js"
import { PeerSockets } from "../network/peerSockets.js"
import { loadZstd } from "../network/zstd.js"
import type { ConnectedPeer } from "../services/context.js"
import type { Store } from "../store/store.js"
import type { ChainData } from "./chainData.js"
import type { Identity } from "./identity.js"
import { JoinedMempool } from "./joinedMempool.js"
import { PeerUptimes } from "./peerUptimes.js"
import { SyncReport } from "./syncReport.js"
import { systemRandom } from "./systemRandom.js"

/** How a node joins a network. */
export interface JoinOptions {
  readonly bootstrappers: readonly Bootstrapper[]
  /** Where to listen for peers; port 0 takes a free one. */
  readonly host: string
  readonly port: number
  /** The address that peers are told; its port is that of the listener where it is 0. */
  readonly publicIp: IpPort
  readonly dialsPrivate: boolean
  /** Whether the API answers from what is known so far while it catches up. */
  readonly servesWhileSyncing?: boolean
  readonly parameters: SnowParameters
}

/** What a joined chain is made of. */
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

const TICK_MS = 50
/** For how long blocks are executed before anything else gets its turn. */
const SLICE_MS = 25
/** For how long messages of peers are handled before anything else gets its turn. */
const HANDLE_MS = 10
/** How long an answer to a peer may take; AvalancheGo spends as much on ancestors. */
const ANSWER_MS = 50

/** The chain of a node among others: connected to peers, brought up to date, followed. */
export class JoinedChain {
  readonly #options: JoinedChainOptions
  readonly #outer: OuterChain
  readonly #recent = new RecentlyAccepted()
  readonly #listeners = new Set<(event: AcceptedEvent) => void>()
  readonly #report: SyncReport
  /** The transactions that were issued here. */
  readonly mempool: JoinedMempool
  readonly #uptimes: PeerUptimes
  #lastAcceptedAt: number | undefined
  #sockets: PeerSockets | undefined
  #peers: Peers | undefined
  #engine: Engine | undefined
  #timer: NodeJS.Timeout | undefined
  #isWorking = false
  #isHandling = false
  #ip: IpPort

  constructor(options: JoinedChainOptions) {
    this.#options = options
    const { rules } = options.data
    const chain = new Chain({ rules, state: options.store, project })
    const check = (child: OuterBlock, parent: Parameters<typeof checkProposer>[1]) =>
      checkProposer(child, parent, chain.state, rules.upgrades)
    this.#outer = new OuterChain({ chain, checkProposer: check })
    this.#report = new SyncReport(options.log, options.wall)
    this.mempool = new JoinedMempool({
      outer: this.#outer,
      identity: options.identity,
      now: options.wall,
      random: systemRandom,
      proposedHeight: () => this.proposedHeight(),
      peers: () => this.#peers,
    })
    this.#uptimes = new PeerUptimes(options.store, options.identity.nodeID, this.now())
    this.#ip = options.publicIp
  }

  get isBootstrapped(): boolean {
    return this.#engine?.isBootstrapped ?? false
  }

  get peers(): Peers | undefined {
    return this.#peers
  }

  get engine(): Engine | undefined {
    return this.#engine
  }

  /** The accepted block that nothing follows yet. */
  get lastAccepted(): OuterBlock {
    return this.#outer.lastAccepted
  }

  /** When the last block was accepted, Unix milliseconds; one that was accepted in an earlier run counts from its own time. */
  get lastAcceptedAt(): number {
    return this.#lastAcceptedAt ?? Number(this.#outer.parentFor(this.#outer.lastAccepted).timestamp) * 1000
  }

  /** Share of the stake whose validators are connected, this node's own included, 0 to 1; `undefined` while it catches up. */
  get connectedStakeShare(): number | undefined {
    const stake = this.#engine?.follower?.connectedStake
    if (!stake || stake.total === 0n) return undefined
    const own = this.#options.store.latest.get(tables.members, {
      subnetID: PRIMARY_NETWORK_ID,
      nodeID: this.#options.identity.nodeID,
    })
    return Number(stake.connected + (own?.weight ?? 0n)) / Number(stake.total)
  }

  /** What this node saw of another. */
  uptimeOf(nodeID: NodeID): { readonly connected: boolean; readonly uptime: number } {
    return this.#uptimes.of(nodeID, this.now())
  }

  /** The address that peers are told. */
  get ipText(): string {
    return ipPortText(this.#ip)
  }

  /** The peers whose handshake is complete, for `info.peers`. */
  connectedPeers(): ConnectedPeer[] {
    const status = this.#peers?.status() ?? []
    return status.map(({ nodeID, address, description, lastSent, lastReceived, observedUptime }) => ({
      nodeID,
      ip: ipPortText(address),
      publicIP: ipPortText(description.ip),
      version: clientVersionText(description.version),
      upgradeTime: description.upgradeTime,
      lastSent,
      lastReceived,
      observedUptime,
      trackedSubnets: description.trackedSubnets,
      supportedACPs: description.acps.supported,
      objectedACPs: description.acps.objected,
    }))
  }

  /** The node's clock, Unix seconds. */
  now(): bigint {
    return BigInt(Math.floor(this.#options.wall() / 1000))
  }

  /** The P-Chain height that a block made now would name. */
  proposedHeight(): bigint {
    const { height } = this.#outer.lastAccepted
    const parent = this.#outer.parentFor(this.#outer.lastAccepted)
    return max(parent.pChainHeight, this.#recent.minimumHeight(height, this.#options.wall()))
  }

  /** The epoch that a block made now would be in. */
  currentEpoch(): Epoch {
    const parent = this.#outer.parentFor(this.#outer.lastAccepted)
    return newEpoch(this.#options.data.rules.upgrades, parent, childTimestamp(parent, this.now()))
  }

  /** Calls back after every change of the state; returns the unsubscribe. */
  onAccepted(listener: (event: AcceptedEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Listens, dials, and begins to catch up. */
  async start(): Promise<void> {
    const { host, port, identity, wall, log, bootstrappers } = this.#options
    const staking = identity.staking
    if (!staking) throw new Error("a node that joins a network has a certificate of its own")
    const [compression] = await Promise.all([loadZstd(), bls().preparePossession()])
    const sockets = new PeerSockets({
      certificate: staking.certificate,
      key: staking.key,
      now: wall,
      onReceived: () => this.#handleSoon(),
      onClosed: (nodeID, reason) => log.debug("connection ended", { nodeID: nodeID ? nodeIDText(nodeID) : "unknown", reason }),
    })
    this.#sockets = sockets
    const bound = await sockets.listen(host, port)
    this.#ip = { ip: this.#ip.ip, port: this.#ip.port === 0 ? bound : this.#ip.port }
    const signTls = (message: Uint8Array) => new Uint8Array(sign("sha256", message, staking.key))
    const signedIp = signIp({ ...this.#ip, timestamp: this.now() }, signTls, identity.secret)
    const { rules } = this.#options.data
    const peers: Peers = new Peers(
      {
        nodeID: identity.nodeID,
        introduction: {
          networkID: rules.networkID,
          version: ANNOUNCED_VERSION,
          upgradeTime: rules.upgrades.times[upgradeNames.at(-1) as "helicon"],
          acps: { supported: scheduledACPs, objected: [] },
          trackedSubnets: [],
        },
        upgrades: rules.upgrades,
        bootstrappers,
        dialsPrivate: this.#options.dialsPrivate || !isProduction(rules.networkID),
        compression,
        random: systemRandom,
        signedIp: () => signedIp,
        stopwatch: () => performance.now(),
      },
      {
        write: (id, frame) => sockets.write(id, frame),
        close: (id, reason) => sockets.close(id, reason),
        dial: (nodeID, address) => sockets.dial(nodeID, address),
        connected: (nodeID) => {
          this.#uptimes.connected(nodeID, this.now())
          engine.connected(nodeID)
        },
        disconnected: (nodeID) => {
          this.#uptimes.disconnected(nodeID, this.now())
          this.#guarded(() => engine.disconnected(nodeID, wall()))
        },
        message: (nodeID, message, now) => this.#guarded(() => engine.message(nodeID, message, now, within(ANSWER_MS))),
        uptimeOf: (nodeID) => Math.floor(this.uptimeOf(nodeID).uptime * 100),
      },
    )
    const engine = this.#openEngine(peers)
    this.#peers = peers
    this.#engine = engine
    sockets.attach(peers)
    log.info("joining the network", { peerPort: bound, nodeID: nodeIDText(identity.nodeID), bootstrappers: bootstrappers.length })
    this.#timer = setInterval(() => this.#guarded(() => this.#tick()), TICK_MS)
    this.#tick()
  }

  /** Makes the engine that votes with these peers. */
  #openEngine(peers: Peers): Engine {
    const { log, store, bootstrappers, parameters } = this.#options
    return new Engine({
      chain: this.#outer,
      state: store,
      beacons: bootstrappers.map(({ nodeID }) => nodeID),
      parameters,
      random: systemRandom,
      port: {
        send: (nodeID, message) => peers.send(nodeID, message),
        validators: (validators) => peers.setValidators(validators),
        accepted: (blocks) => this.#accepted(blocks),
        bootstrapped: () => this.#bootstrapped(),
        app: (nodeID, message) => this.mempool.answer(nodeID, message),
        halted: (report) =>
          log.error("the network accepted a block that breaks a rule here", { ...report, height: report.height }),
      },
    })
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#uptimes.stop(this.now())
    await this.#sockets?.stop()
    this.#engine?.flush()
  }

  #tick(): void {
    const now = this.#options.wall()
    this.#peers?.tick(now)
    this.#sockets?.tick(now)
    this.#engine?.tick(now)
    this.#uptimes.tick(this.now())
    if (this.isBootstrapped) this.mempool.tick(now)
    this.#report.tick(this.#engine?.progress, this.#peers?.status().length ?? 0)
    if (!this.#isWorking) this.#work()
  }

  /** Handles the messages of peers in slices, so that callers of the API get their turn in between. */
  #handleSoon(): void {
    if (this.#isHandling) return
    this.#isHandling = true
    setImmediate(() =>
      this.#guarded(() => {
        this.#isHandling = false
        const hasMore = this.#peers?.work(this.#options.wall(), within(HANDLE_MS)) ?? false
        if (hasMore && this.#timer !== undefined) this.#handleSoon()
      }),
    )
  }

  /** Executes fetched blocks in slices, so that peers and callers get their turn in between. */
  #work(): void {
    const hasMore = this.#engine?.work(this.#options.wall(), within(SLICE_MS)) ?? false
    this.#isWorking = hasMore && this.#timer !== undefined
    if (this.#isWorking) setImmediate(() => this.#guarded(() => this.#work()))
  }

  #accepted(blocks: readonly OuterBlock[]): void {
    this.#lastAcceptedAt = this.#options.wall()
    for (const { height, inner } of blocks) {
      this.#recent.add(height, this.#options.wall())
      this.mempool.accepted(inner)
      this.#tell({ kind: "block", block: inner as Block })
    }
  }

  #bootstrapped(): void {
    const { inner, height } = this.#outer.lastAccepted
    this.#options.log.info("bootstrapped", { height: height.toString() })
    this.#uptimes.startTracking(this.now())
    // What was remembered of earlier states while catching up is dropped at once.
    this.#tell({ kind: "revert", id: inner.id, height })
  }

  #tell(event: AcceptedEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  /** A fault of ours on the way to the disk ends the chain: going on could write something wrong. */
  #guarded(action: () => void): void {
    try {
      action()
    } catch (error) {
      clearInterval(this.#timer)
      this.#timer = undefined
      this.#options.onFault(error)
    }
  }
}

/** A function that is true once so many milliseconds have passed. */
function within(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds
  return () => performance.now() >= end
}
