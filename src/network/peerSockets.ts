import type { KeyObject } from "node:crypto"
import { createServer, type Server, type Socket as TcpSocket } from "node:net"
import { connect, createServer as createTlsServer, type TLSSocket } from "node:tls"
import { nodeIDOfCertificate } from "../core/crypto/certificate.js"
import { Invalid } from "../core/lib/invalid.js"
import { hasRoom, type WaitingBytes } from "../core/p2p/byteRoom.js"
import { p2pError } from "../core/p2p/errors.js"
import type { ConnectionID } from "../core/p2p/inbox.js"
import { type IpPort, ipText, isPrivate, parseIp } from "../core/p2p/ipPort.js"
import type { Peers } from "../core/p2p/peers.js"
import { RateLimit } from "../core/p2p/rateLimit.js"
import type { Remote } from "../core/p2p/session.js"
import { type NodeID, nodeIDText } from "../core/types/id.js"
import { parseCertificate } from "../platform/certificate.js"
import { defaultSocketSettings, type SocketSettings } from "./socketSettings.js"

/** Options of the sockets of a node. Times are Unix milliseconds. */
export interface PeerSocketsOptions {
  /** The certificate in DER, and its key. */
  readonly certificate: Uint8Array
  readonly key: KeyObject
  /** The settings of sockets; AvalancheGo's by default. */
  readonly settings?: SocketSettings | undefined
  now(): number
  /** Called after bytes have arrived, because messages may wait to be handled. */
  onReceived?(): void
  /** Called with every connection that ended, and the reason; with the rule if this node ended it because the peer broke one. */
  onClosed?(nodeID: NodeID | undefined, reason: string, broken?: Invalid): void
  /** Called with every node that could not be reached at its address, and the reason. */
  onDialFailed?(nodeID: NodeID, reason: string): void
  /** Called with a fault in Serac, which ended a new connection. */
  onFault?(error: unknown): void
  /** Called with the secrets of every connection, one line of NSS's key log format each. With them any program can read the connection. */
  onSecrets?: ((line: Uint8Array) => void) | undefined
}

const WRITE_TIMEOUT_MS = 30_000
/** The maximum number of connections that wait to be accepted. Others are closed. */
const MAX_WAITING_CONNECTIONS = 1024

interface Socket {
  readonly socket: TLSSocket
  readonly nodeID: NodeID
  /** The time since which bytes wait for the peer to read them. */
  blockedSince: number | undefined
}

/** TLS connections for the peer protocol: dials, listens, reads and writes. It makes no decisions. */
export class PeerSockets {
  readonly #options: PeerSocketsOptions
  readonly #settings: SocketSettings
  readonly #credentials: { readonly key: string; readonly cert: string; readonly minVersion: "TLSv1.3" }
  readonly #sockets = new Map<ConnectionID, Socket>()
  readonly #pending = new Set<TLSSocket>()
  readonly #lastFrom = new Map<string, number>()
  readonly #acceptRate: RateLimit
  readonly #waiting = new Set<TcpSocket>()
  #server: Server | undefined
  #peers: Peers | undefined
  #isStopped = false

  constructor(options: PeerSocketsOptions) {
    this.#options = options
    this.#settings = options.settings ?? defaultSocketSettings
    const { connectionsPerSecond: perSecond } = this.#settings
    this.#acceptRate = new RateLimit({ perSecond, burst: Math.floor(perSecond) + 1 }, options.now())
    const cert = `-----BEGIN CERTIFICATE-----\n${Buffer.from(options.certificate).toString("base64")}\n-----END CERTIFICATE-----\n`
    this.#credentials = { key: options.key.export({ type: "pkcs8", format: "pem" }) as string, cert, minVersion: "TLSv1.3" }
  }

  /** Connects the protocol that these sockets serve. Called once, before anything else. */
  attach(peers: Peers): void {
    this.#peers = peers
  }

  /** Listens for peers, and returns the port. */
  listen(host: string, port: number): Promise<number> {
    const options = {
      ...this.#credentials,
      requestCert: true,
      rejectUnauthorized: false,
      handshakeTimeout: this.#settings.tlsTimeoutMs,
    }
    const tls = createTlsServer(options, (socket) => this.#accept(socket))
    tls.on("tlsClientError", (_error, socket) => socket.destroy())
    if (this.#options.onSecrets) tls.on("keylog", this.#options.onSecrets)
    const server = createServer((socket) => this.#throttle(socket, () => tls.emit("connection", socket)))
    this.#server = server
    return new Promise((resolve, reject) => {
      // After the start, an error means that a connection could not be accepted.
      server.on("error", reject)
      server.listen(port, host, () => resolve((server.address() as { port: number }).port))
    })
  }

  dial(nodeID: NodeID, { ip, port }: IpPort): void {
    const socket = connect({ ...this.#credentials, host: ipText(ip), port, rejectUnauthorized: false })
    if (this.#options.onSecrets) socket.on("keylog", this.#options.onSecrets)
    this.#pending.add(socket)
    const fail = (reason?: string) => {
      if (!this.#pending.delete(socket)) return
      socket.destroy()
      if (!this.#isStopped) this.#dialFailed(nodeID, reason)
    }
    socket.setTimeout(this.#settings.dialTimeoutMs, () => fail("nothing answers there in time"))
    socket.once("error", (error) => fail(dialFailure(error)))
    socket.once("close", () => fail("the connection was closed"))
    socket.once("secureConnect", () => {
      socket.setTimeout(0)
      const found = this.#adopt(socket, false)
      if (found === undefined) return fail()
      this.#pending.delete(socket)
      // Another node answers at that address. It is accepted, but the dialed node is not found.
      if (found !== nodeID) this.#dialFailed(nodeID, `another node answers there: ${nodeIDText(found)}`)
    })
  }

  /** A failure without a reason means that the connection was not needed, such as one to this node itself. */
  #dialFailed(nodeID: NodeID, reason: string | undefined): void {
    this.#peers?.dialFailed(nodeID, this.#options.now())
    if (reason !== undefined) this.#options.onDialFailed?.(nodeID, reason)
  }

  write(id: ConnectionID, frame: Uint8Array): boolean {
    const entry = this.#sockets.get(id)
    if (!entry || !this.#hasRoom(entry)) return false
    const isFlowing = entry.socket.write(frame)
    if (!isFlowing) entry.blockedSince ??= this.#options.now()
    return true
  }

  /** Returns whether more bytes may wait for a peer. A peer that has read everything is always written to. */
  #hasRoom(entry: Socket): boolean {
    if (entry.socket.writableLength === 0) return true
    const waitingFor = ({ socket, nodeID }: Socket): WaitingBytes => ({
      bytes: socket.writableLength,
      stakeShare: this.#peers?.book.stakeShareOf(nodeID) ?? 0,
    })
    return hasRoom(this.#settings.outbound, waitingFor(entry), [...this.#sockets.values()].map(waitingFor))
  }

  close(id: ConnectionID, reason: Invalid): void {
    const entry = this.#sockets.get(id)
    if (entry) this.#end(id, reason.code, reason)
  }

  /** Ends connections whose peer reads nothing, and forgets addresses that may connect again. */
  tick(now: number): void {
    for (const [id, { blockedSince }] of this.#sockets) {
      if (blockedSince !== undefined && now - blockedSince > WRITE_TIMEOUT_MS) this.#end(id, "write timeout")
    }
    for (const [address, at] of this.#lastFrom) if (now - at >= this.#settings.sameAddressMs) this.#lastFrom.delete(address)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const socket of [...this.#pending, ...this.#waiting]) socket.destroy()
    for (const id of [...this.#sockets.keys()]) this.#end(id, "stopped")
    await new Promise<void>((resolve) => (this.#server ? this.#server.close(() => resolve()) : resolve()))
  }

  /** Handles a new connection at once, or later if there are too many. */
  #throttle(socket: TcpSocket, begin: () => void): void {
    socket.on("error", () => {})
    const delayMs = this.#mayConnect(socket.remoteAddress) ? this.#acceptDelay() : Number.POSITIVE_INFINITY
    if (delayMs === 0) begin()
    else if (delayMs === Number.POSITIVE_INFINITY || this.#waiting.size >= MAX_WAITING_CONNECTIONS) socket.destroy()
    else this.#beginAfter(delayMs, socket, begin)
  }

  /** Counts a connection that arrives now. Returns the milliseconds that it has to wait. */
  #acceptDelay(): number {
    const now = this.#options.now()
    this.#acceptRate.take(1, now)
    return this.#acceptRate.pauseMs(now)
  }

  #beginAfter(milliseconds: number, socket: TcpSocket, begin: () => void): void {
    this.#waiting.add(socket)
    const timer = setTimeout(() => this.#waiting.delete(socket) && begin(), milliseconds).unref()
    socket.once("close", () => {
      clearTimeout(timer)
      this.#waiting.delete(socket)
    })
  }

  #mayConnect(address: string | undefined): boolean {
    const ip = address === undefined ? undefined : remoteIp(address)
    if (!ip || this.#isStopped) return false
    if (isPrivate({ ip, port: 0 })) return true
    const now = this.#options.now()
    if (now - (this.#lastFrom.get(ipText(ip)) ?? Number.NEGATIVE_INFINITY) < this.#settings.sameAddressMs) return false
    this.#lastFrom.set(ipText(ip), now)
    return true
  }

  #accept(socket: TLSSocket): void {
    socket.on("error", () => {})
    if (this.#adopt(socket, true) === undefined) socket.destroy()
  }

  /** Passes a connection to the protocol if its certificate is valid for a node. Returns its node ID. */
  #adopt(socket: TLSSocket, isInbound: boolean): NodeID | undefined {
    const address = addressOf(socket)
    if (this.#isStopped || !this.#peers || !address) return undefined
    try {
      const remote = remoteOf(socket)
      const id = this.#peers.open(remote, address, this.#options.now(), isInbound)
      this.#serve(id, { socket, nodeID: remote.nodeID, blockedSince: undefined })
      this.#peers.start(id, this.#options.now())
      return remote.nodeID
    } catch (error) {
      if (error instanceof Invalid) this.#options.onClosed?.(undefined, error.code)
      else this.#options.onFault?.(error)
      return undefined
    }
  }

  #serve(id: ConnectionID, entry: Socket): void {
    const { socket } = entry
    this.#sockets.set(id, entry)
    socket.setNoDelay(true)
    socket.on("drain", () => {
      entry.blockedSince = undefined
    })
    socket.on("data", (bytes: Uint8Array) => this.#read(id, socket, bytes))
    socket.on("error", (error) => this.#end(id, error.message))
    socket.on("close", () => this.#end(id, "closed by the peer"))
  }

  #read(id: ConnectionID, socket: TLSSocket, bytes: Uint8Array): void {
    const pauseMs = this.#peers?.received(id, bytes, this.#options.now()) ?? 0
    this.#options.onReceived?.()
    if (pauseMs === 0) return
    socket.pause()
    this.#resumeAfter(pauseMs, id, socket)
  }

  #resumeAfter(milliseconds: number, id: ConnectionID, socket: TLSSocket): void {
    const resume = () => {
      const again = this.#peers?.readPause(id, this.#options.now()) ?? 0
      if (again > 0) this.#resumeAfter(again, id, socket)
      else socket.resume()
    }
    setTimeout(resume, milliseconds).unref()
  }

  #end(id: ConnectionID, reason: string, broken?: Invalid): void {
    const entry = this.#sockets.get(id)
    if (!entry) return
    this.#sockets.delete(id)
    entry.socket.destroy()
    this.#peers?.closed(id, this.#options.now())
    this.#options.onClosed?.(entry.nodeID, reason, broken)
  }
}

/** Returns the node at the other end. Throws `p2p.no_certificate` and `crypto.certificate_*`. */
function remoteOf(socket: TLSSocket): Remote {
  const certificate = socket.getPeerX509Certificate()?.raw
  if (!certificate) throw p2pError("p2p.no_certificate")
  const parsedCertificate = parseCertificate(certificate)
  return { nodeID: nodeIDOfCertificate(certificate) as NodeID, certificate, parsedCertificate }
}

function addressOf({ remoteAddress, remotePort }: TLSSocket): IpPort | undefined {
  const ip = remoteAddress === undefined ? undefined : remoteIp(remoteAddress)
  return ip && { ip, port: remotePort ?? 0 }
}

/** Node prints IPv4 clients of an IPv6 server as `::ffff:127.0.0.1`. */
function remoteIp(address: string): Uint8Array | undefined {
  return parseIp(address.replace(/^::ffff:(?=\d+\.)/, "").replace(/%.*$/, ""))
}

/** Says why a peer could not be reached. */
function dialFailure({ message, code }: Error & { readonly code?: string }): string {
  if (code === "ECONNREFUSED") return `nothing listens there (${message})`
  if (code?.startsWith("ERR_SSL_") || code === "EPROTO") {
    return `what answers there is no peer, perhaps an HTTP server (HTTP has port 9650 by default, peers have 9651): ${code}`
  }
  return message
}
