import type { Certificate, ParseCertificate } from "../crypto/certificate.js"
import { equalBytes } from "../lib/bytes.js"
import { Invalid } from "../lib/invalid.js"
import type { NodeID } from "../types/id.js"
import type { BloomFilter } from "./bloomFilter.js"
import { type Claim, peerListOf, readClaim, type UncheckedClaim } from "./claim.js"
import { checkVersion } from "./clientVersion.js"
import { p2pError } from "./errors.js"
import { checkHandshake, checkRegisteredKey, type HandshakeContext, type PeerDescription } from "./handshake.js"
import { parseKnownPeers } from "./knownPeers.js"
import type { MessageOf, OutgoingMessage, PeerMessage } from "./message.js"
import type { PeerSettings } from "./peerSettings.js"

/** The node at the other end of a TLS connection. */
export interface Remote {
  readonly nodeID: NodeID
  /** DER. */
  readonly certificate: Uint8Array
  readonly parsedCertificate: Certificate
}

/** The port of a session to the node around it. Times are Unix milliseconds. */
export interface SessionPort {
  readonly parseCertificate: ParseCertificate
  /** The handshake that introduces this node. */
  handshake(now: number): OutgoingMessage
  /** Returns the present context for checking a handshake, without the certificate. */
  context(now: number): Omit<HandshakeContext, "certificate">
  /** The claims that a peer with this filter does not know. */
  claimsFor(peer: NodeID, known: BloomFilter | undefined): readonly Claim[]
  /** Checks that this peer may stay connected after a change of the validators. Throws `p2p.not_a_validator`. */
  checkWelcome(): void
  /** Stores the claims of a peer list. Throws `Invalid` if one is wanted and false. */
  takeClaims(claims: readonly UncheckedClaim[], now: number): void
  /** This node's opinion of the peer's uptime, whole percent. */
  uptimeOf(peer: NodeID): number
  send(message: OutgoingMessage): void
  /** Ends the connection. Nothing more is sent. */
  close(reason: Invalid): void
  /** The handshake is complete on both sides. */
  connected(description: PeerDescription): void
  /** A message about a chain, from a peer that is connected. */
  deliver(message: ChainMessage): void
}

/** The maximum number of claims of a peer list that are read. AvalancheGo sends 15 by default; reading a certificate takes a tenth of a millisecond. */
const MAX_CLAIMS = 128

type NetworkKind = "ping" | "pong" | "handshake" | "peerList" | "getPeerList"

/** A message that is about a chain, not about the connection. */
export type ChainMessage = Exclude<PeerMessage, { case: NetworkKind }>

/** The protocol between two nodes over one connection: handshake, pings, peer lists. */
export class PeerSession {
  readonly remote: Remote
  readonly #port: SessionPort
  readonly #settings: Pick<PeerSettings, "pingIntervalMs" | "readTimeoutMs">
  #description: PeerDescription | undefined
  #isConnected = false
  #isClosed = false
  #nextPing: number
  #unansweredPings = 0
  #verifiedKey: Uint8Array | undefined
  #lastReceived: number
  #observedUptime = 0

  constructor(remote: Remote, port: SessionPort, settings: Pick<PeerSettings, "pingIntervalMs" | "readTimeoutMs">, now: number) {
    this.remote = remote
    this.#port = port
    this.#settings = settings
    this.#nextPing = now + settings.pingIntervalMs
    this.#lastReceived = now
  }

  /** Sends the handshake. Both sides do so at once. */
  start(now: number): void {
    this.#port.send(this.#port.handshake(now))
  }

  /** The peer's own description, after its handshake was accepted. */
  get description(): PeerDescription | undefined {
    return this.#description
  }

  get isConnected(): boolean {
    return this.#isConnected
  }

  /** This node's uptime in the peer's last report, percent. */
  get observedUptime(): number {
    return this.#observedUptime
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
    if (now - this.#lastReceived > this.#settings.readTimeoutMs) this.#close(p2pError("p2p.silent"))
    if (this.#isClosed || now < this.#nextPing) return
    this.#nextPing = now + this.#settings.pingIntervalMs
    this.#closingOnInvalid(() => this.#checkAgain(now))
    if (this.#isClosed) return
    this.#unansweredPings++
    this.#port.send({ case: "ping", value: { uptime: this.#port.uptimeOf(this.remote.nodeID) } })
  }

  #handle(message: PeerMessage, now: number): void {
    if (message.case === "ping") this.#ping(message.value.uptime)
    else if (message.case === "pong") this.#pong()
    else if (message.case === "handshake") this.#handshake(message.value, now)
    else if (message.case === "peerList") this.#peerList(message.value, now)
    else if (message.case === "getPeerList") this.#getPeerList(message.value)
    else if (this.#isConnected) this.#port.deliver(message)
  }

  #ping(uptime: number): void {
    if (uptime > 100) throw p2pError("p2p.bad_uptime", { uptime })
    this.#observedUptime = uptime
    this.#port.send({ case: "pong", value: {} })
  }

  #pong(): void {
    if (this.#unansweredPings === 0) throw p2pError("p2p.unexpected_pong")
    this.#unansweredPings--
  }

  #handshake(message: MessageOf<"handshake">["value"], now: number): void {
    if (this.#description) throw p2pError("p2p.second_handshake")
    const context = { ...this.#port.context(now), certificate: this.remote.parsedCertificate }
    const { description, knownPeers } = checkHandshake(message, context)
    this.#description = description
    this.#verifiedKey = context.registeredKey
    this.#port.send(peerListOf(this.#port.claimsFor(this.remote.nodeID, knownPeers)))
  }

  #peerList({ claimedIpPorts }: MessageOf<"peerList">["value"], now: number): void {
    if (!this.#description) return
    if (!this.#isConnected) {
      this.#isConnected = true
      this.#port.connected(this.#description)
    }
    this.#port.takeClaims(
      claimedIpPorts.slice(0, MAX_CLAIMS).map((claim) => readClaim(claim, this.#port.parseCertificate)),
      now,
    )
  }

  #getPeerList({ knownPeers }: MessageOf<"getPeerList">["value"]): void {
    if (!this.#isConnected) return
    if (!knownPeers) throw p2pError("p2p.no_filter")
    const claims = this.#port.claimsFor(this.remote.nodeID, parseKnownPeers(knownPeers))
    if (claims.length > 0) this.#port.send(peerListOf(claims))
  }

  /** A version becomes too old when an upgrade activates; a node may become a validator with another BLS key. */
  #checkAgain(now: number): void {
    this.#port.checkWelcome()
    if (!this.#description) return
    const context = this.#port.context(now)
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
    this.#port.close(reason)
  }
}
