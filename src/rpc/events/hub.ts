import { idText } from "../../types/id.js"
import type { Context, NodePort } from "../context.js"
import type { Opened } from "../dispatch.js"
import { blockAt, blockEvents, revertEvent } from "./blockEvents.js"

/** Where the events of one client go. */
export interface Sink {
  /** False where the client does not keep up: nothing more is written before `onDrain` calls back. */
  write(bytes: Uint8Array): boolean
  onDrain(listener: () => void): void
  /** Ends it for good. */
  destroy(): void
}

/** What streams live by. */
export interface HubOptions {
  readonly node: NodePort
  open(): Opened
  /** How long a client may leave its buffer full, in milliseconds. */
  readonly stallMilliseconds: number
  /** How often a silent stream says that it is alive, in milliseconds. */
  readonly heartbeatMilliseconds: number
}

const HEARTBEAT = Buffer.from(": alive\n\n")

/** How many blocks are sent to one client before others get their turn. */
const TURN = 64

/**
 * Tells clients of accepted blocks. Each has a height that it gets next, and blocks are read from the state when it is ready for them:
 * resuming after a break and listening live are the same thing, and nothing is queued for anyone.
 */
export class EventHub {
  readonly #options: HubOptions
  readonly #streams = new Set<Stream>()
  readonly #unsubscribe: () => void
  readonly #heartbeat: NodeJS.Timeout

  constructor(options: HubOptions) {
    this.#options = options
    this.#unsubscribe = options.node.onAccepted((event) => {
      if (event.kind === "revert") for (const stream of this.#streams) stream.revert(event.height, idText(event.id))
      // Not in the middle of accepting a block: contexts learn of it in this round, too.
      if (this.#streams.size > 0) setImmediate(() => this.#pump())
    })
    this.#heartbeat = setInterval(() => {
      for (const stream of this.#streams) stream.beat()
    }, options.heartbeatMilliseconds)
    this.#heartbeat.unref()
  }

  get size(): number {
    return this.#streams.size
  }

  /** Begins after this height: what came since is sent first. Left out: with the next block. Returns what ends it. */
  add(sink: Sink, lastSeen: bigint | undefined): () => void {
    const stream = new Stream(sink, this.#options)
    this.#streams.add(stream)
    stream.start(lastSeen)
    return () => {
      stream.end()
      this.#streams.delete(stream)
    }
  }

  close(): void {
    this.#unsubscribe()
    clearInterval(this.#heartbeat)
    for (const stream of this.#streams) {
      stream.end()
      stream.destroy()
    }
    this.#streams.clear()
  }

  #pump(): void {
    for (const stream of this.#streams) stream.pump()
  }
}

/** The newest block is the one that many are told of at once; only its events are kept. */
function eventsAt(context: Context, height: bigint): Uint8Array | undefined {
  const make = () => {
    const block = blockAt(context.view, height)
    return block ? blockEvents(context.view, block) : undefined
  }
  return height === context.height ? context.cached("events", make) : make()
}

class Stream {
  readonly #sink: Sink
  readonly #options: HubOptions
  #next = 0n
  #isFull = false
  #isEnded = false
  #stall: NodeJS.Timeout | undefined

  constructor(sink: Sink, options: HubOptions) {
    this.#sink = sink
    this.#options = options
    sink.onDrain(() => {
      clearTimeout(this.#stall)
      this.#isFull = false
      this.pump()
    })
  }

  start(lastSeen: bigint | undefined): void {
    this.#with((context) => {
      this.#next = (lastSeen ?? context.height) + 1n
      // It knows of blocks that are no longer there.
      if (this.#next > context.height + 1n) this.revert(context.height, idText(context.lastAcceptedID))
    })
    this.pump()
  }

  /** Sends what was accepted and not yet sent, as long as the client takes it. */
  pump(): void {
    if (this.#isFull || this.#isEnded) return
    this.#with((context) => {
      for (let turn = 0; turn < TURN && !this.#isFull && this.#next <= context.height; turn++) {
        const height = this.#next++
        const bytes = eventsAt(context, height)
        if (bytes) this.#write(bytes)
      }
      if (!this.#isFull && this.#next <= context.height) setImmediate(() => this.pump())
    })
  }

  revert(height: bigint, id: string): void {
    if (this.#next <= height + 1n) return
    this.#next = height + 1n
    if (!this.#isEnded) this.#write(revertEvent(height, id))
  }

  beat(): void {
    if (!this.#isFull) this.#write(HEARTBEAT)
  }

  end(): void {
    this.#isEnded = true
    clearTimeout(this.#stall)
  }

  destroy(): void {
    this.#sink.destroy()
  }

  #write(bytes: Uint8Array): void {
    if (this.#sink.write(bytes) || this.#isFull) return
    this.#isFull = true
    this.#stall = setTimeout(() => this.destroy(), this.#options.stallMilliseconds)
    this.#stall.unref()
  }

  #with(work: (context: Context) => void): void {
    const opened = this.#options.open()
    try {
      work(opened.context)
    } finally {
      opened.release()
    }
  }
}
