import { type ByteRoom, BytesOfNodes, defaultInboundRoom } from "./byteRoom.js"

/** A connection, numbered by this node. */
export type ConnectionID = number

export interface WaitingFrame {
  readonly connection: ConnectionID
  readonly frame: Uint8Array
  /** Time of arrival, Unix milliseconds. */
  readonly at: number
}

interface Queue {
  readonly frames: WaitingFrame[]
  /** Milliseconds of work that this connection caused, of which half is forgotten every second. */
  work: number
  workAt: number
}

/** Limits of the waiting messages. Reading from a connection pauses beyond them. */
export interface InboxLimits {
  /** `--throttler-inbound-node-max-processing-msgs` */
  readonly maxMessages: number
  readonly room: ByteRoom
  /** The maximum size of the incomplete messages of all connections together, bytes; 64 MiB by default. */
  readonly maxIncomplete?: number
}

/** AvalancheGo's limits. */
export const defaultInboxLimits: InboxLimits = { maxMessages: 1024, room: defaultInboundRoom }

const HALF_LIFE_MS = 1_000

/**
 * The messages that wait to be handled, by connection. The connection that has recently caused the least work is served first, so one that
 * sends a lot delays only itself.
 */
export class Inbox {
  readonly #queues = new Map<ConnectionID, Queue>()
  readonly #limits: InboxLimits
  readonly #bytes: BytesOfNodes<ConnectionID>
  readonly #hasToWait: (connection: ConnectionID, now: number) => boolean

  /**
   * `stakeShareOf` returns the share of all stake of a connection's node, 0 to 1; by default no node has stake. `hasToWait` returns whether
   * no message of a connection may be handled yet; by default none has to wait.
   */
  constructor(
    limits: InboxLimits = defaultInboxLimits,
    stakeShareOf: (connection: ConnectionID) => number = () => 0,
    hasToWait: (connection: ConnectionID, now: number) => boolean = () => false,
  ) {
    this.#limits = limits
    this.#bytes = new BytesOfNodes(stakeShareOf, limits.room)
    this.#hasToWait = hasToWait
  }

  put(connection: ConnectionID, frame: Uint8Array, now: number): void {
    this.#queueOf(connection, now).frames.push({ connection, frame, at: now })
    this.#bytes.add(connection, frame.length)
  }

  #queueOf(connection: ConnectionID, now: number): Queue {
    const queue = this.#queues.get(connection) ?? { frames: [], work: 0, workAt: now }
    this.#queues.set(connection, queue)
    return queue
  }

  /** Returns whether reading from a connection should pause. */
  isFull(connection: ConnectionID): boolean {
    const waiting = this.#queues.get(connection)?.frames.length ?? 0
    return waiting >= this.#limits.maxMessages || !this.#bytes.hasRoomFor(connection)
  }

  /** Returns whether `take` would return a message. */
  hasNext(now: number): boolean {
    return this.#best(now) !== undefined
  }

  take(now: number): WaitingFrame | undefined {
    const next = this.#best(now)?.frames.shift()
    if (next) this.#bytes.add(next.connection, -next.frame.length)
    return next
  }

  #best(now: number): Queue | undefined {
    let best: Queue | undefined
    for (const [connection, queue] of this.#queues) {
      if (queue.frames.length === 0 || this.#hasToWait(connection, now)) continue
      if (!best || workOf(queue, now) < workOf(best, now)) best = queue
    }
    return best
  }

  /** Records how many milliseconds of work an open connection caused. */
  spent(connection: ConnectionID, milliseconds: number, now: number): void {
    const queue = this.#queueOf(connection, now)
    queue.work = workOf(queue, now) + milliseconds
    queue.workAt = now
  }

  /** Returns the part of a processor that the messages of a connection took lately, 0 to 1. */
  workRateOf(connection: ConnectionID, now: number): number {
    const queue = this.#queues.get(connection)
    return queue ? (workOf(queue, now) * Math.LN2) / HALF_LIFE_MS : 0
  }

  /** Forgets a connection that ended, and its waiting messages. */
  remove(connection: ConnectionID): void {
    this.#queues.delete(connection)
    this.#bytes.remove(connection)
  }
}

function workOf({ work, workAt }: Queue, now: number): number {
  return work * 0.5 ** (Math.max(0, now - workAt) / HALF_LIFE_MS)
}
