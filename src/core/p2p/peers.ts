import { Averager } from "../lib/averager.js"
import { Invalid } from "../lib/invalid.js"
import { wholeSeconds } from "../lib/wholeSeconds.js"
import { type NodeID, nodeIDText } from "../types/id.js"
import { AddressBook, type ValidatorInfo } from "./addressBook.js"
import { Connections, type PeerStatus } from "./connections.js"
import { DialSchedule } from "./dialSchedule.js"
import { p2pError } from "./errors.js"
import { encodeFrame, FrameReader, MAX_MESSAGE_SIZE } from "./frame.js"
import type { ConnectionID } from "./inbox.js"
import { Incoming } from "./incoming.js"
import { type IpPort, isPrivate } from "./ipPort.js"
import { encodeMessage, type OutgoingMessage } from "./message.js"
import { defaultPeerSettings, type PeerSettings } from "./peerSettings.js"
import type { PeersOptions, PeersPort } from "./peersPort.js"
import { randomIndex } from "./random.js"
import { RateLimit } from "./rateLimit.js"
import { PeerSession, type Remote } from "./session.js"
import { Traffic } from "./traffic.js"

/** All connections of a node: opens and closes them, dials nodes, splits bytes into messages, and sends messages. */
export class Peers {
  readonly options: PeersOptions
  readonly settings: PeerSettings
  readonly port: PeersPort
  readonly book: AddressBook
  readonly #dials: DialSchedule
  readonly connections = new Connections()
  /** Counts the messages and bytes of all connections since the start. */
  readonly traffic = new Traffic()
  readonly #incoming: Incoming
  #failRate: Averager | undefined
  #nextConnection = 1
  /** The time of the input that is being handled. */
  #now = 0
  #nextPeerList = 0

  constructor(options: PeersOptions, port: PeersPort) {
    const { random, settings = defaultPeerSettings } = options
    this.options = options
    this.settings = settings
    this.port = port
    this.book = new AddressBook(options, settings)
    this.#dials = new DialSchedule(settings, random)
    this.#incoming = new Incoming(this)
  }

  /** Sets the validators of the primary network; called whenever the set changes. */
  setValidators(validators: ReadonlyMap<NodeID, ValidatorInfo>): void {
    this.book.setValidators(validators)
    this.#dials.keepOnly((nodeID) => this.book.isWanted(nodeID))
  }

  /** Returns the nodes whose handshake is complete, with the known facts about each. */
  status(): PeerStatus[] {
    return this.connections.status()
  }

  /** Returns the validators whose handshake is complete, those with the most stake first. */
  connectedValidators(): { readonly nodeID: NodeID; readonly weight: bigint }[] {
    const connected = this.connections.connectedNodes().flatMap((nodeID) => {
      const weight = this.book.validators.get(nodeID)?.weight
      return weight === undefined ? [] : [{ nodeID, weight }]
    })
    return connected.sort((a, b) => (a.weight === b.weight ? 0 : a.weight > b.weight ? -1 : 1))
  }

  validatorWeights(): Map<NodeID, bigint> {
    return new Map([...this.book.validators].map(([nodeID, { weight }]) => [nodeID, weight]))
  }

  isConnected(nodeID: NodeID): boolean {
    return this.connections.to(nodeID)?.session.isConnected ?? false
  }

  /** The share of recent messages that could not be sent, 0 to 1. */
  get sendFailRate(): number {
    return this.#failRate?.average ?? 0
  }

  /**
   * A TLS connection is up; `start` follows. Throws `p2p.own_node_id`, `p2p.already_connected` and `p2p.not_a_validator`; the connection
   * must then be closed.
   */
  open(remote: Remote, address: IpPort, now: number, isInbound = false): ConnectionID {
    const { nodeID } = remote
    if (nodeID === this.options.nodeID) throw p2pError("p2p.own_node_id")
    if (this.connections.to(nodeID)) throw p2pError("p2p.already_connected", { nodeID: nodeIDText(nodeID) })
    this.book.checkWelcome(nodeID)
    const id = this.#nextConnection++
    const frames = new FrameReader()
    const session = new PeerSession(id, remote, this, now)
    const bandwidth = new RateLimit(this.settings.bandwidth, now)
    this.connections.add({ id, session, frames, bandwidth, address, isInbound, lastSent: now, lastReceived: now })
    if (this.book.isWanted(nodeID)) this.#dials.connected(nodeID)
    return id
  }

  /** Begins the protocol on a connection that can be written to. */
  start(id: ConnectionID, now: number): void {
    this.#now = now
    this.connections.get(id)?.session.start(now)
  }

  dialFailed(nodeID: NodeID, now: number): void {
    this.#dials.failed(nodeID, now)
  }

  /**
   * Handles bytes of a connection. Pings are answered at once; other messages wait for `work`. Returns the milliseconds for which reading
   * from the connection must pause, because it sends too much.
   */
  received(id: ConnectionID, bytes: Uint8Array, now: number): number {
    const connection = this.connections.get(id)
    if (!connection) return 0
    this.#now = now
    try {
      return this.#incoming.take(connection, bytes, now)
    } catch (error) {
      if (error instanceof Invalid) this.port.close(id, error)
      else this.faulted(id, error)
      return 0
    }
  }

  /** Returns whether nothing more of a node may be handled yet, because it has sent or caused too much. */
  hasToWait(nodeID: NodeID, now: number): boolean {
    const connection = this.connections.to(nodeID)
    return connection !== undefined && this.#incoming.hasToWait(connection.id, now)
  }

  /** Charges milliseconds of work to a node. */
  charge(nodeID: NodeID, milliseconds: number, now: number): void {
    const connection = this.connections.to(nodeID)
    if (connection) this.#incoming.charge(connection, milliseconds, now)
  }

  /** Returns the milliseconds for which reading from a connection must pause, because it sends too much or too many of its messages wait. */
  readPause(id: ConnectionID, now: number): number {
    return this.#incoming.readPause(id, now)
  }

  /** Handles waiting messages until none is left or the time is up. Returns true if some are left. */
  work(now: number, isOutOfTime: () => boolean): boolean {
    this.#now = now
    return this.#incoming.work(now, isOutOfTime)
  }

  /** Called when a connection ended, whichever side ended it. */
  closed(id: ConnectionID, now: number): void {
    const connection = this.connections.remove(id)
    if (!connection) return
    const { nodeID } = connection.session.remote
    this.#incoming.remove(id)
    if (this.book.isWanted(nodeID)) this.#dials.disconnected(nodeID, isPrivate(connection.address), now)
    if (connection.session.isConnected) this.port.disconnected(nodeID)
  }

  /** Sends a message to a connected node. False if it is not connected, or too slow to take more. */
  send(nodeID: NodeID, message: OutgoingMessage): boolean {
    const connection = this.connections.to(nodeID)
    if (!connection?.session.isConnected) return false
    if (hasLargeAnswer(message.case, this.book.stakeShareOf(nodeID))) connection.bandwidth.allow(MAX_MESSAGE_SIZE)
    const isSent = this.write(connection.id, message)
    this.#failRate ??= new Averager(0, this.settings.failRateHalfLifeMs, this.#now)
    this.#failRate.observe(isSent ? 0 : 1, this.#now)
    return isSent
  }

  /** Sends pings that are due, dials nodes, and requests more peers. */
  tick(now: number): void {
    this.#now = now
    for (const { id, session } of this.connections.all()) {
      try {
        session.tick(now)
      } catch (error) {
        this.faulted(id, error)
      }
    }
    this.#dialWanted(now)
    if (now < this.#nextPeerList) return
    this.#nextPeerList = now + this.settings.peerListIntervalMs
    this.#askForPeers(now)
  }

  /** Ends a connection because of a fault in Serac while something of its peer was handled. */
  faulted(id: ConnectionID, error: unknown): void {
    const connection = this.connections.get(id)
    if (connection) this.port.fault(connection.session.remote.nodeID, error)
    this.port.close(id, p2pError("p2p.fault"))
  }

  /** Returns the machine's clock at the time of an input, Unix seconds. */
  unixSeconds(now: number): bigint {
    return this.options.unixSeconds?.() ?? wholeSeconds(now)
  }

  /** Sends a message over a connection, also before its handshake is complete. False if the peer is too slow to take more. */
  write(id: ConnectionID, message: OutgoingMessage): boolean {
    const connection = this.connections.get(id)
    if (!connection) return false
    connection.lastSent = this.#now
    const { compression, compresses = true } = this.options
    const frame = encodeFrame(encodeMessage(message, compresses ? compression : undefined))
    const isWritten = this.port.write(id, frame)
    if (isWritten) this.traffic.countSent(message.case, frame.length)
    else this.traffic.unsent++
    return isWritten
  }

  #dialWanted(now: number): void {
    for (const [nodeID, address] of this.book.dialable()) {
      if (this.connections.to(nodeID)) continue
      const mayDial = this.options.dialsPrivate || !isPrivate(address) || this.book.isBootstrapper(nodeID)
      if (mayDial && this.#dials.begin(nodeID, now)) this.port.dial(nodeID, address)
    }
  }

  #askForPeers(now: number): void {
    const validators = this.connections.connectedNodes().filter((nodeID) => this.book.validators.has(nodeID))
    const chosen = validators[randomIndex(this.options.random, validators.length)]
    const connection = chosen && this.connections.to(chosen)
    if (!connection) return
    const known = this.book.knownFilter(now)
    const knownPeers = { filter: known.toBytes(), salt: known.salt }
    this.write(connection.id, { case: "getPeerList", value: { knownPeers, allSubnets: this.book.validates } })
  }
}

/**
 * Returns whether the answer to a request may be as large as a message can be, and does not count against the peer. A node without stake could
 * have a block requested from it at any time, by naming one.
 */
function hasLargeAnswer(kind: string, stakeShare: number): boolean {
  return kind === "getAncestors" || (kind === "get" && stakeShare > 0)
}
