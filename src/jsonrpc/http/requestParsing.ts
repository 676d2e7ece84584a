import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"

/** The parser with which Node reads the requests of a connection. Node's types do not declare it. */
interface RequestParser {
  /** Called with the head of each request. Returns 0, or a number that ends the parsing. */
  onIncoming?: ((request: IncomingMessage, isKeptAlive: boolean) => number) | null
  /** Lets a parser that has stopped continue with the next bytes. */
  resume(): void
}

/** A socket whose requests Node parses. Node's types do not declare these members. */
interface ParsedSocket {
  readonly parser?: RequestParser | null
  /** True while Node parses nothing because too many answers wait to be sent. */
  readonly _paused?: boolean
}

/** Error that ends a parser where the rest of a connection is not HTTP. */
const NO_MORE_REQUESTS = 2

/** Error that stops a parser until `resume`. Node reports it as a client's error with the code `HPE_PAUSED` and the bytes that it has. */
const STOPPED = 21

/** Bytes that are parsed between two looks at the time. They have at most 680 pieces of a body or 160 requests. */
const SLICE = 1 << 12

/** Divides the time in which requests are parsed among the clients of a server. */
export interface ParsingPace {
  /** True if the current turn of the event loop is used up. */
  readonly isTurnOver: boolean
  /** Parses, and counts the time towards the current turn of the event loop. */
  run(parse: () => void): void
  /** Calls back in the client's next turn. */
  wait(callback: () => void): void
}

/**
 * Parses the requests of a connection with Node's parser. Node reads up to 64 KiB and parses all of it at once: 10,900 pieces of a body or
 * 1,400 requests, which hold the event loop for 20 to 80 ms. So the parser is stopped after the head of a request that may have many pieces
 * or requests behind it; what was read and comes later is parsed in slices, and in several turns of the event loop if one does not suffice.
 */
export class RequestParsing {
  readonly #socket: Socket
  readonly #pace: ParsingPace | undefined
  /** Bytes that were read and are not parsed yet. */
  readonly #unparsed: Buffer[] = []
  /** Node's own listener for what was read. It is known if the connection is parsed in slices. */
  #parse: ((bytes: Buffer) => void) | undefined
  #isStopping = false
  #isRunning = false
  #isWaiting = false
  readonly #receive = (bytes: Buffer): void => this.#add(bytes)

  /** `pace` is absent if clients are not limited; then the parser is never stopped. */
  constructor(socket: Socket, pace: ParsingPace | undefined) {
    this.#socket = socket
    this.#pace = pace
    // Node resumes reading after every request that it has parsed, and when answers have been sent.
    socket.on("resume", () => this.#resumed())
  }

  /**
   * Follows the parser that Node has made for the connection. When the connection ends, so does its parsing: otherwise Node would make a
   * request and a response from everything that it has read, and then an error for each of them, which takes 40 ms.
   */
  follow(): void {
    const { parser } = this.#socket as Socket & ParsedSocket
    const onIncoming = parser?.onIncoming
    if (!parser || !onIncoming) return
    parser.onIncoming = (request, isKeptAlive) => {
      if (this.#socket.destroyed) return NO_MORE_REQUESTS
      const result = onIncoming(request, isKeptAlive)
      if (!this.#isStopping) return result
      this.#isStopping = false
      return result === 0 ? STOPPED : result
    }
  }

  /** Stops the parser after the head of the current request. What comes after it is parsed in slices. */
  stop(): void {
    this.#isStopping = this.#pace !== undefined && this.#parse === undefined
  }

  /** Takes bytes that come before everything else that is not parsed yet, and parses them in slices. */
  continueWith(bytes: Buffer): void {
    this.#unparsed.unshift(bytes)
    this.#slice()
    this.#socket.pause()
    process.nextTick(() => this.#run())
  }

  /** Ends the parsing where Node has ended it because of an upgrade. `continueWith` begins it again. */
  end(): void {
    if (this.#parse) this.#socket.off("data", this.#receive)
    this.#parse = undefined
  }

  /** Returns what was read and is not parsed yet, and forgets it. */
  takeUnparsed(): readonly Buffer[] {
    return this.#unparsed.splice(0)
  }

  /** Takes the place of Node's listener for what was read. While it has none, Node's parser reads from the system itself. */
  #slice(): void {
    if (this.#parse) return
    const [parse] = this.#socket.listeners("data") as ((bytes: Buffer) => void)[]
    if (!parse) return
    this.#parse = parse
    this.#socket.off("data", parse)
    this.#socket.on("data", this.#receive)
  }

  #resumed(): void {
    if (!this.#parse) return
    if (this.#unparsed.length > 0) {
      this.#socket.pause()
      this.#run()
      // Node's stream does not start to read again if it was stopped while the parser read from the system.
    } else if (!this.#socket.destroyed) this.#socket._read(0)
  }

  #add(bytes: Buffer): void {
    this.#unparsed.push(bytes)
    this.#run()
  }

  #run(): void {
    if (this.#isRunning || this.#isWaiting) return
    this.#isRunning = true
    while (this.#unparsed.length > 0 && this.#canParse()) this.#parseSlice()
    this.#isRunning = false
    if (!this.#parse) return
    if (this.#unparsed.length === 0) this.#socket.resume()
    else this.#socket.pause()
  }

  /** Returns whether the next bytes may be parsed now. If not, they are parsed later. */
  #canParse(): boolean {
    const { destroyed, _paused: isFull } = this.#socket as Socket & ParsedSocket
    if (destroyed) this.#unparsed.length = 0
    if (destroyed || isFull || !this.#parse) return false
    if (!this.#pace?.isTurnOver) return true
    this.#isWaiting = true
    this.#pace.wait(() => {
      this.#isWaiting = false
      this.#run()
    })
    return false
  }

  #parseSlice(): void {
    const bytes = this.#unparsed.shift() as Buffer
    if (bytes.length > SLICE) this.#unparsed.unshift(bytes.subarray(SLICE))
    const slice = bytes.subarray(0, SLICE)
    const parse = () => {
      ;(this.#socket as Socket & ParsedSocket).parser?.resume()
      this.#parse?.(slice)
    }
    if (this.#pace) this.#pace.run(parse)
    else parse()
  }
}
