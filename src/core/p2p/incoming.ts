import { valueOrUndefined } from "../lib/invalid.js"
import type { Connection, Connections } from "./connections.js"
import { p2pError } from "./errors.js"
import { MAX_MESSAGE_SIZE } from "./frame.js"
import { type ConnectionID, Inbox, type WaitingFrame } from "./inbox.js"
import { decodeMessage, type MessageKind, type PeerMessage } from "./message.js"
import { type Rate, RateLimit } from "./rateLimit.js"
import type { SessionNode } from "./session.js"
import type { Traffic } from "./traffic.js"

/** Time for which a connection is paused while its messages wait to be handled. */
const FULL_PAUSE_MS = 20

/** The first bytes of Ping and Pong. */
const pingTags: ReadonlySet<number> = new Set([0x5a, 0x62])

/**
 * Returns whether a message is a single Ping or Pong of less than 128 bytes, which is handled at once even if other messages wait. Any other
 * message may begin with the same byte.
 */
function isPing(frame: Uint8Array): boolean {
  const [tag, size] = frame
  return pingTags.has(tag as number) && size === frame.length - 2 && size < 0x80
}

/** The maximum number of pings that are handled at once when many arrive together. */
const MAX_PINGS_AT_ONCE = 32

/** The least number of bytes that a read counts as towards the bandwidth of a peer, because reading takes time also if one byte arrived. */
const MIN_READ = 64

/**
 * The bytes that a millisecond of work counts as for a peer without stake. With 512 KiB a second, it takes an eighth of a processor. A peer with
 * stake may also take its share of a processor, as with AvalancheGo's targets.
 */
const BYTES_PER_MS = 4096

/**
 * The milliseconds of work that all peers together may cause beyond the shares of their stake: 0.8 of a processor, as with AvalancheGo's
 * targets. While they cause more, a peer may take no more than the share of its stake, which is nothing for a peer without stake.
 */
const SHARED_WORK: Rate = { perSecond: 800, burst: 3_200 }

/** The kinds that answer a request of this node. Handling them is work that this node wanted, or takes no time if it did not ask. */
const answers: ReadonlySet<MessageKind> = new Set<MessageKind>([
  "acceptedFrontier",
  "accepted",
  "ancestors",
  "put",
  "chits",
  "appResponse",
  "appError",
])

/**
 * The default maximum size of the incomplete messages of all connections together, bytes: 32 messages of the maximum size. AvalancheGo counts
 * them towards the room of waiting messages, so that a few peers that never complete a message delay all others.
 */
const MAX_INCOMPLETE = 32 * MAX_MESSAGE_SIZE

interface ReadingNode extends SessionNode {
  readonly connections: Connections
  readonly traffic: Traffic
  /** Ends a connection because of a fault in Serac while something of its peer was handled. */
  faulted(connection: ConnectionID, error: unknown): void
}

/** The reading side of all connections: bytes become messages, which wait for their turn and then go to the session of their connection. */
export class Incoming {
  readonly #node: ReadingNode
  readonly #inbox: Inbox
  /** The bytes that are allocated for the incomplete message of each connection. The message that began first is first. */
  readonly #incomplete = new Map<ConnectionID, number>()
  #incompleteBytes = 0
  readonly #sharedWork = new RateLimit(SHARED_WORK, 0)

  constructor(node: ReadingNode) {
    this.#node = node
    this.#inbox = new Inbox(
      node.settings.inbox,
      (connection) => this.#stakeShareOf(connection),
      (connection, now) => this.hasToWait(connection, now),
    )
  }

  /** Returns whether nothing more of a connection may be handled yet, because its peer has sent or caused too much. */
  hasToWait(id: ConnectionID, now: number): boolean {
    const { bandwidth } = this.#node.connections.get(id) ?? {}
    if (!bandwidth) return false
    if (bandwidth.pauseMs(now) > 0) return true
    return this.#sharedWork.pauseMs(now) > 0 && this.#inbox.workRateOf(id, now) >= this.#stakeShareOf(id)
  }

  /** The part of all stake that the node of a connection has, 0 to 1. */
  #stakeShareOf(id: ConnectionID): number {
    return this.#node.book.stakeShareOf(this.#node.connections.get(id)?.session.remote.nodeID)
  }

  /**
   * Handles bytes of a connection, which are charged before any of them is decoded. Pings are answered at once, if the connection is not in
   * debt; other messages wait for `work`. Returns the milliseconds for which reading from the connection must pause, because it sends too
   * much. Throws `p2p.frame_too_large`.
   */
  take(connection: Connection, bytes: Uint8Array, now: number): number {
    const { connections } = this.#node
    connection.bandwidth.take(Math.max(bytes.length, MIN_READ), now)
    const frames = connection.frames.push(bytes)
    this.#setIncomplete(connection.id, connection.frames.allocated, frames.length > 0)
    if (this.#hasTooManyIncomplete) this.#closeOldest()
    for (const [i, frame] of frames.entries()) {
      // A ping that breaks a rule ends the connection, and nothing of it may wait then.
      if (!connections.get(connection.id)) return 0
      connection.session.frameArrived(now)
      const isAtOnce = i < MAX_PINGS_AT_ONCE && isPing(frame) && !this.hasToWait(connection.id, now)
      if (isAtOnce) this.#handleAndCharge({ connection: connection.id, frame, at: now }, now)
      else this.#inbox.put(connection.id, frame, now)
    }
    return this.readPause(connection.id, now)
  }

  /** Returns the milliseconds for which reading from a connection must pause, because it sends too much or too many of its messages wait. */
  readPause(id: ConnectionID, now: number): number {
    const { bandwidth } = this.#node.connections.get(id) ?? {}
    return Math.max(bandwidth?.pauseMs(now) ?? 0, this.#inbox.isFull(id) ? FULL_PAUSE_MS : 0)
  }

  /**
   * Handles waiting messages until none is left or the time is up. Returns true if some are left that need not wait until their connection
   * may send again.
   */
  work(now: number, isOutOfTime: () => boolean): boolean {
    while (!isOutOfTime()) {
      const next = this.#inbox.take(now)
      if (!next) return false
      this.#handleAndCharge(next, now)
    }
    return this.#inbox.hasNext(now)
  }

  /** Handles a message, and charges the time that it took. */
  #handleAndCharge(waiting: WaitingFrame, now: number): void {
    const { stopwatch = () => 0 } = this.#node.options
    const start = stopwatch()
    const kind = this.#handleOrEnd(waiting, now)
    this.#spent(waiting.connection, kind, stopwatch() - start, now)
  }

  /** Handles a message, and returns its kind. A fault ends the connection of the message, and no other. */
  #handleOrEnd(waiting: WaitingFrame, now: number): MessageKind | undefined {
    try {
      return this.#handle(waiting, now)
    } catch (error) {
      this.#node.faulted(waiting.connection, error)
      return undefined
    }
  }

  /** Charges the time that a message took. A message that answers this node costs its sender no bandwidth. */
  #spent(id: ConnectionID, kind: MessageKind | undefined, milliseconds: number, now: number): void {
    const connection = this.#node.connections.get(id)
    if (!connection) return
    if (kind && answers.has(kind)) this.#inbox.spent(id, milliseconds, now)
    else this.charge(connection, milliseconds, now)
  }

  /** Charges milliseconds of work to a connection, which also pays with its bandwidth. */
  charge({ id, bandwidth }: Connection, milliseconds: number, now: number): void {
    this.#inbox.spent(id, milliseconds, now)
    const beyondStake = milliseconds / (1 + 8 * this.#stakeShareOf(id))
    bandwidth.take(beyondStake * BYTES_PER_MS, now)
    this.#sharedWork.take(beyondStake, now)
  }

  /** Forgets the waiting messages of a connection that ended. */
  remove(id: ConnectionID): void {
    this.#inbox.remove(id)
    this.#setIncomplete(id, 0, true)
  }

  /** `isNew` is true if the last message of the connection was completed, so that the bytes belong to a later one. */
  #setIncomplete(id: ConnectionID, bytes: number, isNew: boolean): void {
    this.#incompleteBytes += bytes - (this.#incomplete.get(id) ?? 0)
    if (isNew || bytes === 0) this.#incomplete.delete(id)
    if (bytes > 0) this.#incomplete.set(id, bytes)
  }

  /**
   * Closes connections until the incomplete messages have room again: those whose message has been incomplete longest, except peers whose
   * message fits into the room of their stake.
   */
  #closeOldest(): void {
    const { settings, port } = this.#node
    for (const [id, bytes] of this.#incomplete) {
      if (bytes <= this.#stakeShareOf(id) * settings.inbox.room.forValidators) continue
      this.#setIncomplete(id, 0, true)
      port.close(id, p2pError("p2p.incomplete_too_long", { bytes }))
      if (!this.#hasTooManyIncomplete) return
    }
  }

  get #hasTooManyIncomplete(): boolean {
    return this.#incompleteBytes > (this.#node.settings.inbox.maxIncomplete ?? MAX_INCOMPLETE)
  }

  #handle({ connection: id, frame, at }: WaitingFrame, now: number): MessageKind | undefined {
    const { connections, traffic, settings } = this.#node
    const connection = connections.get(id)
    const message = connection && this.#decode(connection, frame, now)
    if (connection) traffic.countReceived(message?.case ?? "unreadable", frame.length)
    if (!message) return undefined
    connection.lastReceived = now
    if (!isExpired(message, now - at, settings.maxDeadlineMs)) connection.session.receive(message, now)
    return message.case
  }

  /** Decodes a message. Unpacked bytes count as if they had been read. Bytes that are no message are skipped, so that newer peers stay usable. */
  #decode({ bandwidth }: Connection, frame: Uint8Array, now: number): PeerMessage | undefined {
    const unpacked = (size: number) => bandwidth.take(Math.max(0, size - frame.length), now)
    return valueOrUndefined(() => decodeMessage(frame, this.#node.options.compression, unpacked))
  }
}

/** Returns whether a message is a request whose deadline has passed while the message waited here, so that its sender ignores an answer. */
function isExpired({ value }: PeerMessage, waitedMs: number, maxDeadlineMs: number): boolean {
  return "deadline" in value && waitedMs > Math.min(maxDeadlineMs, Number(value.deadline / 1_000_000n))
}
