import type { Socket } from "node:net"
import type { LoopScheduler } from "../../limits/loopScheduler.js"

/** The chunks of bodies that Node may parse in one turn of the event loop before other connections are read in later turns. */
export const TURN_CHUNKS = 1024

/** One connection, as far as its turns are concerned. */
export interface ReadConnection {
  readonly socket: Socket
  readonly client: string
  /** True until its first request was received. */
  readonly isUnused: boolean
  /** The responses to requests that were received and not yet answered, in their order. */
  readonly unanswered: ReadonlySet<{ readonly req: { readonly complete: boolean } }>
}

/**
 * Spreads bodies in small chunks over turns of the event loop. Node parses all that it has read of a connection at once, up to 10,900 chunks,
 * and it reads all connections in one turn. When a turn has had `TURN_CHUNKS` chunks, the connections that may have as many are paused: the
 * others of the same client, and those of all clients that are sending a request or have sent none. One of them is read in each later turn.
 */
export class ReadTurns {
  readonly #scheduler: LoopScheduler
  readonly #open: () => Iterable<ReadConnection>
  #chunks = 0
  #last: ReadConnection | undefined

  constructor(scheduler: LoopScheduler, open: () => Iterable<ReadConnection>) {
    this.#scheduler = scheduler
    this.#open = open
  }

  /** Counts chunks of a body that came over a connection. */
  count(connection: ReadConnection, chunks: number): void {
    if (this.#chunks === 0) setImmediate(() => this.#beginTurn())
    this.#chunks += chunks
    if (this.#chunks < TURN_CHUNKS || connection === this.#last) return
    this.#last = connection
    for (const other of this.#open()) if (other !== connection && !other.socket.isPaused()) this.#pause(other, connection.client)
  }

  #beginTurn(): void {
    this.#chunks = 0
    this.#last = undefined
  }

  #pause(connection: ReadConnection, client: string): void {
    const isSending = connection.isUnused || [...connection.unanswered].at(-1)?.req.complete === false
    if (!isSending && connection.client !== client) return
    const { socket } = connection
    socket.pause()
    const resume = () => {
      if (socket.destroyed) return undefined
      socket.resume()
      return "continues"
    }
    // Queues of their own, so that neither the client's work nor its idle connections wait for those that are sending.
    this.#scheduler.resume(`${isSending ? "sending" : "idle"} ${connection.client}`, { run: resume, cancel: resume })
  }
}
