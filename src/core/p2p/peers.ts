import { Invalid } from "../lib/invalid.js"
import type { Upgrades } from "../networks/upgrades.js"
import type { NodeID } from "../types/id.js"
import { AddressBook, type Bootstrapper, type ValidatorInfo } from "./addressBook.js"
import { Bandwidth, defaultBandwidth } from "./bandwidth.js"
import { DialSchedule } from "./dialSchedule.js"
import { p2pError } from "./errors.js"
import { encodeFrame, FrameReader, MAX_MESSAGE_SIZE } from "./frame.js"
import { handshakeOf, type Introduction, type PeerDescription } from "./handshake.js"
import { type ConnectionID, Inbox, type WaitingFrame } from "./inbox.js"
import { type IpPort, isPrivate } from "./ipPort.js"
import { type Compression, decodeMessage, encodeMessage, type OutgoingMessage, type PeerMessage } from "./message.js"
import { type Random, randomIndex } from "./random.js"
import { type ChainMessage, PeerSession, type Remote, type SessionPort } from "./session.js"
import type { SignedIp } from "./signedIp.js"
import { Traffic } from "./traffic.js"

/** What the protocol does to the world: sockets below it, the chain's engine above it. Times are Unix milliseconds. */
export interface PeersPort {
  /** Writes a frame to a connection. False where too much waits to be written already, and the frame was dropped. */
  write(connection: ConnectionID, frame: Uint8Array): boolean
  close(connection: ConnectionID, reason: Invalid): void
  /** Dials a node; then `open` or `dialFailed` is called. */
  dial(nodeID: NodeID, address: IpPort): void
  connected(nodeID: NodeID): void
  disconnected(nodeID: NodeID): void
  message(nodeID: NodeID, message: ChainMessage, now: number): void
  /** This node's opinion of a peer's uptime, whole percent. */
  uptimeOf(nodeID: NodeID): number
}

/** What the peer protocol is run with. */
export interface PeersOptions {
  readonly nodeID: NodeID
  readonly introduction: Introduction
  readonly upgrades: Upgrades
  readonly bootstrappers: readonly Bootstrapper[]
  /** Whether private addresses are dialed; bootstrappers always are. */
  readonly dialsPrivate: boolean
  readonly compression: Compression
  readonly random: Random
  /** This node's own address, signed. */
  signedIp(): SignedIp
  /** A clock that runs on while a message is handled, milliseconds; left out, handling takes no time. */
  stopwatch?(): number
}

/** What is known of a connected peer, for `info.peers`. */
export interface PeerStatus {
  readonly nodeID: NodeID
  /** The other end of the socket. */
  readonly address: IpPort
  readonly description: PeerDescription
  /** Unix milliseconds. */
  readonly lastSent: number
  readonly lastReceived: number
  /** What the peer thinks of our uptime, percent. */
  readonly observedUptime: number
}

interface Connection {
  readonly id: ConnectionID
  readonly session: PeerSession
  readonly frames: FrameReader
  readonly bandwidth: Bandwidth
  readonly address: IpPort
  lastSent: number
  lastReceived: number
}

const PEER_LIST_INTERVAL_MS = 2_000

/** How long a connection rests whose messages wait to be handled. */
const FULL_PAUSE_MS = 20

/** The first bytes of Ping and Pong, which are handled at once, however much else waits. */
const pingTags: ReadonlySet<number> = new Set([0x5a, 0x62])

/** Of a flood of pings that arrive together only the first are handled at once. */
const MAX_PINGS_AT_ONCE = 32

/** Requests whose answers may be as large as a message gets; these bytes do not count against the peer. */
const largeAnswers: ReadonlySet<string> = new Set(["getAncestors", "get"])

/** All connections of a node: who is connected, who is dialed, and what is said to whom. */
export class Peers {
  readonly #options: PeersOptions
  readonly #port: PeersPort
  readonly #book: AddressBook
  readonly #dials: DialSchedule
  readonly #inbox = new Inbox()
  /** What went over all connections since the start. */
  readonly traffic = new Traffic()
  readonly #connections = new Map<ConnectionID, Connection>()
  readonly #byNode = new Map<NodeID, Connection>()
  #nextConnection = 1
  /** The time of the input that is being handled. */
  #now = 0
  #nextPeerList = 0

  constructor(options: PeersOptions, port: PeersPort) {
    this.#options = options
    this.#port = port
    this.#book = new AddressBook(options.nodeID, options.bootstrappers, options.random)
    this.#dials = new DialSchedule(options.random)
  }

  /** Sets the validators of the primary network; called whenever the set changes. */
  setValidators(validators: ReadonlyMap<NodeID, ValidatorInfo>): void {
    this.#book.setValidators(validators)
    this.#dials.keepOnly((nodeID) => this.#book.isWanted(nodeID))
  }

  /** The nodes whose handshake is complete, with what is known of each. */
  status(): PeerStatus[] {
    return [...this.#connections.values()].flatMap(({ session, address, lastSent, lastReceived }) => {
      const { description, observedUptime, remote } = session
      if (!session.isConnected || !description) return []
      return [{ nodeID: remote.nodeID, address, description, lastSent, lastReceived, observedUptime }]
    })
  }

  /** The validators whose handshake is complete, those with most stake first. */
  connectedValidators(): { readonly nodeID: NodeID; readonly weight: bigint }[] {
    const connected = this.#connectedNodes().flatMap((nodeID) => {
      const weight = this.#book.validators.get(nodeID)?.weight
      return weight === undefined ? [] : [{ nodeID, weight }]
    })
    return connected.sort((a, b) => (a.weight === b.weight ? 0 : a.weight > b.weight ? -1 : 1))
  }

  isConnected(nodeID: NodeID): boolean {
    return this.#byNode.get(nodeID)?.session.isConnected ?? false
  }

  /** A TLS connection is up; `start` follows. Throws `p2p.own_node_id` and `p2p.already_connected`: it must then be closed. */
  open(remote: Remote, address: IpPort, now: number): ConnectionID {
    const { nodeID } = remote
    if (nodeID === this.#options.nodeID) throw p2pError("p2p.own_node_id")
    if (this.#byNode.has(nodeID)) throw p2pError("p2p.already_connected", { nodeID })
    const id = this.#nextConnection++
    const frames = new FrameReader()
    const session = new PeerSession(remote, this.#sessionPort(id, nodeID), now)
    const bandwidth = new Bandwidth(defaultBandwidth, now)
    const connection = { id, session, frames, bandwidth, address, lastSent: now, lastReceived: now }
    this.#connections.set(id, connection)
    this.#byNode.set(nodeID, connection)
    this.#dials.connected(nodeID)
    return id
  }

  /** Begins the protocol on a connection that can be written to. */
  start(id: ConnectionID, now: number): void {
    this.#now = now
    this.#connections.get(id)?.session.start(now)
  }

  dialFailed(nodeID: NodeID, now: number): void {
    this.#dials.failed(nodeID, now)
  }

  /**
   * Bytes arrived on a connection. Pings are answered at once; other messages wait for `work`. Returns for how many milliseconds the
   * connection must not be read from, since it sends too much.
   */
  received(id: ConnectionID, bytes: Uint8Array, now: number): number {
    const connection = this.#connections.get(id)
    if (!connection) return 0
    this.#now = now
    try {
      connection.frames.push(bytes).forEach((frame, i) => {
        const isPing = i < MAX_PINGS_AT_ONCE && pingTags.has(frame[0] as number)
        this.#arrived(connection, frame, isPing, now)
      })
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      this.#port.close(id, error)
    }
    return Math.max(connection.bandwidth.take(bytes.length, now), this.readPause(id))
  }

  /** For how many milliseconds a connection must not be read from, because too many of its messages wait. */
  readPause(id: ConnectionID): number {
    return this.#inbox.isFull(id) ? FULL_PAUSE_MS : 0
  }

  /** Handles waiting messages until none is left or the time is up; true where some are left. */
  work(now: number, isOutOfTime: () => boolean): boolean {
    this.#now = now
    const { stopwatch = () => 0 } = this.#options
    while (!isOutOfTime()) {
      const next = this.#inbox.take(now)
      if (!next) return false
      const start = stopwatch()
      this.#handle(next, now)
      this.#inbox.spent(next.connection, stopwatch() - start, now)
    }
    return !this.#inbox.isEmpty
  }

  /** A connection ended, whoever ended it. */
  closed(id: ConnectionID, now: number): void {
    const connection = this.#connections.get(id)
    if (!connection) return
    const { nodeID } = connection.session.remote
    this.#connections.delete(id)
    this.#inbox.remove(id)
    this.#byNode.delete(nodeID)
    this.#dials.disconnected(nodeID, isPrivate(connection.address), now)
    if (connection.session.isConnected) this.#port.disconnected(nodeID)
  }

  /** Sends a message to a connected node. False where it is not connected, or too slow to take more. */
  send(nodeID: NodeID, message: OutgoingMessage): boolean {
    const connection = this.#byNode.get(nodeID)
    if (!connection?.session.isConnected) return false
    if (largeAnswers.has(message.case)) connection.bandwidth.allow(MAX_MESSAGE_SIZE)
    return this.#write(connection, message)
  }

  /** Does what is due: pings, dials, and the question for more peers. */
  tick(now: number): void {
    this.#now = now
    for (const { session } of [...this.#connections.values()]) session.tick(now)
    this.#dialWanted(now)
    if (now < this.#nextPeerList) return
    this.#nextPeerList = now + PEER_LIST_INTERVAL_MS
    this.#askForPeers(now)
  }

  #arrived(connection: Connection, frame: Uint8Array, isPing: boolean, now: number): void {
    connection.session.frameArrived(now)
    if (isPing) this.#handle({ connection: connection.id, frame, at: now }, now)
    else this.#inbox.put(connection.id, frame, now)
  }

  #handle({ connection: id, frame, at }: WaitingFrame, now: number): void {
    const connection = this.#connections.get(id)
    const message = connection && this.#decode(frame)
    if (connection) this.traffic.countReceived(message?.case ?? "unreadable", frame.length)
    if (!message) return
    connection.lastReceived = now
    if (!isExpired(message, now - at)) connection.session.receive(message, now)
  }

  /** Bytes that are no message are skipped, so that newer peers stay usable. */
  #decode(frame: Uint8Array) {
    try {
      return decodeMessage(frame, this.#options.compression)
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      return undefined
    }
  }

  #write(connection: Connection, message: OutgoingMessage): boolean {
    connection.lastSent = this.#now
    const frame = encodeFrame(encodeMessage(message, this.#options.compression))
    const isWritten = this.#port.write(connection.id, frame)
    if (isWritten) this.traffic.countSent(message.case, frame.length)
    else this.traffic.unsent++
    return isWritten
  }

  #dialWanted(now: number): void {
    for (const [nodeID, address] of this.#book.dialable()) {
      if (this.#byNode.has(nodeID)) continue
      const mayDial = this.#options.dialsPrivate || !isPrivate(address) || this.#isBootstrapper(nodeID)
      if (mayDial && this.#dials.begin(nodeID, now)) this.#port.dial(nodeID, address)
    }
  }

  #isBootstrapper(nodeID: NodeID): boolean {
    return this.#options.bootstrappers.some((each) => each.nodeID === nodeID)
  }

  #askForPeers(now: number): void {
    const validators = [...this.#byNode].filter(([id, { session }]) => session.isConnected && this.#book.validators.has(id))
    const [, connection] = validators[randomIndex(this.#options.random, validators.length)] ?? []
    if (!connection) return
    const known = this.#book.knownFilter(now)
    this.#write(connection, { case: "getPeerList", value: { knownPeers: { filter: known.toBytes(), salt: known.salt } } })
  }

  #connectedNodes(): NodeID[] {
    return [...this.#byNode].flatMap(([nodeID, { session }]) => (session.isConnected ? [nodeID] : []))
  }

  #sessionPort(id: ConnectionID, nodeID: NodeID): SessionPort {
    const { introduction, upgrades, signedIp } = this.#options
    return {
      handshake: (now) => handshakeOf(introduction, signedIp(), this.#book.knownFilter(now), secondsOf(now)),
      context: (now) => ({
        networkID: introduction.networkID,
        upgrades,
        nowSeconds: secondsOf(now),
        registeredKey: this.#book.validators.get(nodeID)?.publicKey,
      }),
      claimsFor: (peer, known) => this.#book.claimsFor(peer, known, this.#connectedNodes()),
      takeClaims: (claims, now) => this.#book.take(claims, secondsOf(now)),
      uptimeOf: () => this.#port.uptimeOf(nodeID),
      send: (message) => {
        const connection = this.#connections.get(id)
        if (connection) this.#write(connection, message)
      },
      close: (reason) => this.#port.close(id, reason),
      connected: ({ ip }) => {
        const { certificate } = (this.#connections.get(id) as Connection).session.remote
        this.#book.keep({ nodeID, certificate, ip: ip.ip, port: ip.port, timestamp: ip.timestamp, tlsSignature: ip.tlsSignature })
        this.#port.connected(nodeID)
      },
      deliver: (message) => this.#port.message(nodeID, message, this.#now),
    }
  }
}

const MAX_DEADLINE_MS = 10_000n

/** Whether the asker no longer waits for an answer to a message that has waited here for so long. */
function isExpired({ value }: PeerMessage, waitedMs: number): boolean {
  if (!("deadline" in value)) return false
  const deadlineMs = value.deadline / 1_000_000n
  return waitedMs > Number(deadlineMs < MAX_DEADLINE_MS ? deadlineMs : MAX_DEADLINE_MS)
}

/** Unix seconds of Unix milliseconds. */
function secondsOf(milliseconds: number): bigint {
  return BigInt(Math.floor(milliseconds / 1000))
}
