import type { Certificate } from "../crypto/certificate.js"
import { equalBytes } from "../lib/bytes.js"
import { Invalid } from "../lib/invalid.js"
import { wholeSeconds } from "../lib/wholeSeconds.js"
import type { NodeID } from "../types/id.js"
import type { AddressBook } from "./addressBook.js"
import type { BloomFilter } from "./bloomFilter.js"
import { type Claim, peerListOf, readClaim } from "./claim.js"
import { checkVersion } from "./clientVersion.js"
import { p2pError } from "./errors.js"
import {
  checkHandshake,
  checkRegisteredKey,
  type HandshakeContext,
  handshakeOf,
  type PeerDescription,
  parseKnownPeers,
} from "./handshake.js"
import type { ConnectionID } from "./inbox.js"
import type { MessageOf, OutgoingMessage, PeerMessage } from "./message.js"
import type { PeerSettings } from "./peerSettings.js"
import type { PeersOptions, PeersPort } from "./peersPort.js"

/** The node at the other end of a TLS connection. */
export interface Remote {
  readonly nodeID: NodeID
  /** DER. */
  readonly certificate: Uint8Array
  readonly parsedCertificate: Certificate
}

/** The maximum number of claims of a peer list that are read. AvalancheGo sends 15 by default; reading a certificate takes a tenth of a millisecond. */
const MAX_CLAIMS = 128

/** What the clock of a peer showed, Unix seconds, and when this node read it, Unix milliseconds. */
export interface PeerClock {
  readonly unixSeconds: bigint
  readonly at: number
}

/** A node's uptime as a peer measures it, whole percent, and when the report arrived, Unix milliseconds. */
export interface UptimeReport {
  readonly percent: number
  readonly at: number
}

export interface SessionNode {
  readonly options: PeersOptions
  readonly settings: PeerSettings
  readonly port: PeersPort
  readonly book: AddressBook
  readonly connections: { connectedNodes(): NodeID[] }
  /** Returns the machine's clock at the time of an input, Unix seconds. */
  unixSeconds(now: number): bigint
  /** Sends a message over a connection, also before its handshake is complete. */
  write(connection: ConnectionID, message: OutgoingMessage): boolean
}

/** The protocol between two nodes over one connection: handshake, pings, peer lists. Times are Unix milliseconds. */
export class PeerSession {
  readonly remote: Remote
  readonly #id: ConnectionID
  readonly #node: SessionNode
  #description: PeerDescription | undefined
  #isConnected = false
  #isClosed = false
  #nextPing: number
  #unansweredPings = 0
  #verifiedKey: Uint8Array | undefined
  #lastReceived: number
  #uptimeReport: UptimeReport | undefined
  #clock: PeerClock | undefined

  constructor(id: ConnectionID, remote: Remote, node: SessionNode, now: number) {
    this.remote = remote
    this.#id = id
    this.#node = node
    this.#nextPing = now + node.settings.pingIntervalMs
    this.#lastReceived = now
  }

  /** Sends the handshake. Both sides do so at once. */
  start(now: number): void {
    const { book, options } = this.#node
    const { introduction, signedIp } = options
    this.#node.write(
      this.#id,
      handshakeOf(introduction, signedIp(), book.knownFilter(now), this.#node.unixSeconds(now), book.validates),
    )
  }

  /** The peer's own description, after its handshake was accepted. */
  get description(): PeerDescription | undefined {
    return this.#description
  }

  get isConnected(): boolean {
    return this.#isConnected
  }

  /** The peer's clock at the time of its handshake. */
  get clock(): PeerClock | undefined {
    return this.#clock
  }

  /** The peer's last report of this node's uptime; `undefined` before its first. */
  get uptimeReport(): UptimeReport | undefined {
    return this.#uptimeReport
  }

  /** Records that a frame arrived, whatever its content. */
  frameArrived(now: number): void {
    this.#lastReceived = now
  }

  /** Takes a message that was read from a frame. */
  receive(message: PeerMessage, now: number): void {
    if (this.#isClosed) return
    this.#closingOnInvalid(() => this.#handle(message, now))
  }

  /** Sends pings that are due, and checks the read deadline and the conditions that time or the validator set can change. */
  tick(now: number): void {
    if (this.#isClosed) return
    const { settings, port } = this.#node
    if (now - this.#lastReceived > settings.readTimeoutMs) this.#close(p2pError("p2p.silent"))
    if (this.#isClosed || now < this.#nextPing) return
    this.#nextPing = now + settings.pingIntervalMs
    this.#closingOnInvalid(() => this.#checkAgain(now))
    if (this.#isClosed) return
    this.#unansweredPings++
    this.#node.write(this.#id, { case: "ping", value: { uptime: port.uptimeOf(this.remote.nodeID) } })
  }

  #handle(message: PeerMessage, now: number): void {
    if (message.case === "ping") this.#ping(message.value.uptime, now)
    else if (message.case === "pong") this.#pong()
    else if (message.case === "handshake") this.#handshake(message.value, now)
    else if (message.case === "peerList") this.#peerList(message.value, now)
    else if (message.case === "getPeerList") this.#getPeerList(message.value)
    else if (this.#isConnected) this.#node.port.message(this.remote.nodeID, message, now)
  }

  #ping(uptime: number, now: number): void {
    if (uptime > 100) throw p2pError("p2p.bad_uptime", { uptime })
    this.#uptimeReport = { percent: uptime, at: now }
    this.#node.write(this.#id, { case: "pong", value: {} })
  }

  #pong(): void {
    if (this.#unansweredPings === 0) throw p2pError("p2p.unexpected_pong")
    this.#unansweredPings--
  }

  #handshake(message: MessageOf<"handshake">["value"], now: number): void {
    if (this.#description) throw p2pError("p2p.second_handshake")
    const context = this.#context(now)
    const { description, knownPeers } = checkHandshake(message, context)
    this.#description = description
    this.#clock = { unixSeconds: message.myTime, at: now }
    this.#verifiedKey = context.registeredKey
    this.#node.write(this.#id, peerListOf(this.#claimsFor(knownPeers)))
  }

  #peerList({ claimedIpPorts }: MessageOf<"peerList">["value"], now: number): void {
    if (!this.#description) return
    const { book, port, options } = this.#node
    if (!this.#isConnected) {
      this.#isConnected = true
      const { nodeID, certificate } = this.remote
      const { blsSignature: _, ...ip } = this.#description.ip
      book.keep({ nodeID, certificate, ...ip })
      port.connected(nodeID)
    }
    const claims = claimedIpPorts.slice(0, MAX_CLAIMS).map((claim) => readClaim(claim, options.crypto.parseCertificate))
    book.take(claims, this.#node.unixSeconds(now))
  }

  #getPeerList({ knownPeers }: MessageOf<"getPeerList">["value"]): void {
    if (!this.#isConnected) return
    if (!knownPeers) throw p2pError("p2p.no_filter")
    const claims = this.#claimsFor(parseKnownPeers(knownPeers))
    if (claims.length > 0) this.#node.write(this.#id, peerListOf(claims))
  }

  /** The claims that a peer with this filter does not know. */
  #claimsFor(known: BloomFilter | undefined): readonly Claim[] {
    const { book, connections } = this.#node
    return book.claimsFor(this.remote.nodeID, known, connections.connectedNodes())
  }

  #context(now: number): HandshakeContext {
    const { options, settings, book } = this.#node
    return {
      crypto: options.crypto,
      networkID: options.introduction.networkID,
      upgrades: options.upgrades,
      nowSeconds: this.#node.unixSeconds(now),
      maxClockDifference: wholeSeconds(settings.maxClockDifferenceMs),
      certificate: this.remote.parsedCertificate,
      registeredKey: book.validators.get(this.remote.nodeID)?.publicKey,
    }
  }

  /** A version becomes too old when an upgrade activates; a node may become a validator with another BLS key. */
  #checkAgain(now: number): void {
    this.#node.book.checkWelcome(this.remote.nodeID)
    if (!this.#description) return
    const context = this.#context(now)
    const { upgrades, nowSeconds, registeredKey } = context
    checkVersion(this.#description.version, upgrades, nowSeconds)
    if (!registeredKey || (this.#verifiedKey && equalBytes(registeredKey, this.#verifiedKey))) return
    checkRegisteredKey(this.#description.ip, registeredKey, context.crypto.bls)
    this.#verifiedKey = registeredKey
  }

  #closingOnInvalid(action: () => void): void {
    try {
      action()
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      this.#close(error)
    }
  }

  #close(reason: Invalid): void {
    this.#isClosed = true
    this.#node.port.close(this.#id, reason)
  }
}
